// An account and files with something of everything: what every format of every command is tried on.
import { desk, type Desk } from './desk.ts';

const WORLD = `version: 1
api_keys:
  - { id: 9007199254740993, name: ci-deploy, created_at: -200d, last_used_at: -3d, last_used_from_addr: 192.0.2.7 }
  - { id: 17, name: old-laptop, created_at: -400d }
projects:
  - id: spring-example-302709
    name: shop
    branches:
      - { id: br-wispy-meadow-118737, name: main, default: true }
      - { id: br-calm-sea-220011, name: staging }
      - { id: br-old-river-991122, name: dev }
    computes:
      - { id: ep-cool-darkness-123456, branch: main, autoscaling_limit_max_cu: 4 }
      - { id: ep-dry-field-000001, branch: main, type: read_only }
      - { id: ep-dry-field-000002, branch: dev }
    operations:
      - { action: start_compute, branch_id: br-wispy-meadow-118737, endpoint_id: ep-cool-darkness-123456, created_at: -3h, updated_at: -3h }
  - id: autumn-lab-418822
    name: lab
    branches:
      - { id: br-misty-field-330021, name: main, default: true }
    computes:
      - { id: ep-bright-forest-654321, branch: main }
`;

const DESIRED = `version: 1

api_keys:
  ci-deploy:
    secret: { file: ci-deploy.json }
    rotate: { every: 90d, overlap: 7d }
  backup:
    secret: { file: backup.json }
  old-laptop: { state: absent }

projects:
  shop:
    branches: { main: br-wispy-meadow-118737, staging: br-calm-sea-220011 }
    computes:
      primary:
        branch: main
        autoscaling_limit_max_cu: 2
        pooler_enabled: true
        settings: { pg_settings: { work_mem: 64MB } }
        lifecycle:
          ignore: [pooler_mode]
          hold: [{ path: autoscaling_limit_max_cu, value: 4, until: 2026-12-01, reason: INC-4211 }]
      reports: { branch: main, type: read_only, suspend_timeout_seconds: 10m }
      preview: { branch: staging }
  lab:
    computes:
      old: { id: ep-bright-forest-654321, state: absent }

safety: { protect: ["lab/*"] }
`;

/** The files a small branch has: nothing is pending there. */
const BASE = `version: 1
projects: { shop: { computes: { primary: { branch_id: br-wispy-meadow-118737 }, other: { branch_id: br-old-river-991122 } } } }
`;

export function fullDesk(): Desk {
  return desk({ 'trueup.yaml': DESIRED, 'base/trueup.yaml': BASE }, { world: WORLD });
}
