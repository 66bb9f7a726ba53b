// What the cases of @neondatabase/api-client share: their project, how a refusal looks, how a list is walked.
import { strict as assert } from 'node:assert';
import { projectOf } from '../support/seed.mjs';

export const project = projectOf('amber');

export async function assertStatus(sent, status) {
  await assert.rejects(sent, (error) => {
    assert.equal(error.response?.status, status, error.message);
    assert.equal(typeof error.response.data.message, 'string');
    return true;
  });
}

/** All entries, page by page; the last one is shorter than the limit or has no cursor. */
export async function pages(page, member, limit) {
  const all = [];
  for (let cursor; ;) {
    const { data } = await page(cursor);
    all.push(...data[member]);
    cursor = data.pagination?.cursor;
    if (data[member].length < limit || cursor === undefined) return all;
  }
}
