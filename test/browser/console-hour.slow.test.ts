// The last hour of a compute as the console draws it: nothing but what the control plane knows, also after jumps of the clock.
import { describe, expect, it } from 'vitest';
import { spansOf } from '../../src/control-plane/console/pages/compute/last-hour.ts';
import { activityOf } from '../../src/control-plane/resources/compute/activity.ts';
import { PRIMARY, REPLICA, SHOP } from './console-world.ts';
import { makeDesk, type Desk } from './requests.ts';

const MINUTE = 60_000;
const PATH = `/projects/${SHOP}/computes`;

/** "state minutes connections(most)" of each span of the last hour. */
function hourOf({ plane }: Desk, computeId: string): string[] {
  plane.settle();
  const { engine } = plane;
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined) throw new Error('no such compute');
  return spansOf(activityOf(engine, compute), engine.atMs).map(({ state, fromMs, toMs, connections, most }) => {
    const minutes = Math.round((toMs - fromMs) / MINUTE);
    return `${state} ${minutes} ${connections}(${most})`;
  });
}

describe('the last hour', () => {
  it('of a compute that nothing happened to is its state since its record says', () => {
    const desk = makeDesk();
    expect(hourOf(desk, REPLICA)).toEqual(['active 60 0(0)']);
    expect(hourOf(desk, PRIMARY)).toEqual(['idle 60 0(0)']);
  });

  it('has connections as they come and go, and what woke the compute and put it to sleep', async () => {
    const desk = makeDesk();
    const [one, two] = [desk.plane.truth.connect(PRIMARY), desk.plane.truth.connect(PRIMARY)];
    await desk.pass(10 * MINUTE);
    desk.plane.settle();
    one.close();
    two.close();
    await desk.pass(20 * MINUTE);
    // Idle since five minutes after it was last used, which was at the start: a simulated connection at rest holds nothing up.
    expect(hourOf(desk, PRIMARY)).toEqual(['idle 30 0(0)', 'idle 0 2(2)', 'active 5 2(2)', 'idle 25 0(0)']);
  });

  it('is the truth after the clock was set forward past everything', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    await person.post(`${PATH}/${PRIMARY}/start`);
    desk.plane.clock.setForward(desk.plane.clock.nowMs() + 30 * MINUTE);
    expect(hourOf(desk, PRIMARY)).toEqual(['idle 30 0(0)', 'active 5 0(0)', 'idle 25 0(0)']);
    desk.plane.clock.setForward(desk.plane.clock.nowMs() + 24 * 60 * MINUTE);
    expect(hourOf(desk, PRIMARY)).toEqual(['idle 60 0(0)']);
  });

  it('shows a restart as the end of its connections', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    desk.plane.truth.connect(REPLICA);
    await desk.pass(10 * MINUTE);
    await person.post(`${PATH}/${REPLICA}/restart`);
    await desk.pass(10 * MINUTE);
    expect(hourOf(desk, REPLICA)).toEqual(['active 40 0(0)', 'active 10 1(1)', 'idle 0 0(0)', 'active 10 0(0)']);
  });

  it('counts changes within seconds as one, with the most that there were', () => {
    const desk = makeDesk();
    const held = Array.from({ length: 20 }, () => desk.plane.truth.connect(REPLICA));
    for (const connection of held.slice(3)) connection.close();
    expect(hourOf(desk, REPLICA)).toEqual(['active 60 0(0)', 'active 0 3(20)']);
  });

  it('is drawn to scale, with words for those who do not see it', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    await person.post(`${PATH}/${PRIMARY}/start`);
    await desk.pass(30 * MINUTE);
    const { html } = await person.get(`${PATH}/${PRIMARY}`);
    expect(html).toContain('Active for 5 of the last 60 minutes. Connections: 0 now, 0 at most, of 112.');
    const [, from, width] = /<rect\s+class="active"\s+x="(\d+)"\s+y="\d+"\s+width="(\d+)"/.exec(html) ?? [];
    expect([Math.round(Number(from) / 600), Math.round(Number(width) / 600)]).toEqual([30, 5]);
    expect(html).toContain('earlier connections are not known');
  });
});
