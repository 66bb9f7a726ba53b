// Examples that help shows: each is a command line that works.

export const examples: { readonly program: string; readonly commands: Readonly<Record<string, string>> } = {
  program: `
Examples:
  trueup init                          write a starter trueup.yaml
  trueup plan --local                  what would change, on the embedded control plane
  trueup apply                         plan, ask, apply, wait, read back
  trueup plan -o plan.json && trueup apply plan.json
  trueup drift                         for cron: exit 2 when the account differs

Credentials come from TRUEUP_API_KEY, TRUEUP_API_KEY_FILE or --api-key-file.`,
  commands: {
    init: `
Examples:
  trueup init
  trueup init -f infra/trueup.yaml`,
    import: `
Examples:
  trueup import > trueup.yaml
  trueup import --project 'shop*' --attributes full
  trueup import -f infra --out-dir infra
  terraform state pull | trueup import --from-terraform - > trueup.yaml

Exit codes: 0 all of it · 1 error, nothing written · 3 something could not be read, the rest is written`,
    pin: `
Examples:
  trueup pin
  trueup pin --to ids.yaml && trueup plan -f trueup.yaml -f ids.yaml
  trueup pin --fix --target 'shop/*'`,
    hold: `
Examples:
  trueup hold shop/primary --path autoscaling_limit_max_cu --until 2026-12-01 --reason INC-4211`,
    validate: `
Examples:
  trueup validate
  trueup validate -f base.yaml --overlay prod.yaml
  trueup validate --format json < /dev/null`,
    plan: `
Examples:
  trueup plan
  trueup plan -f infra --target 'shop/*'
  trueup plan -f teams/* --overlay prod.yaml
  trueup plan --detailed-exitcode -o plan.json
  trueup plan --compare-with ../main --format markdown > comment.md
  trueup plan --format json | jq '.trueup.summary'

Exit codes: 0 planned · 1 error · 3 something could not be read or planned · with --detailed-exitcode: 2 differences, 5 blocked`,
    apply: `
Examples:
  trueup apply
  trueup apply plan.json
  trueup apply --auto-approve --allow delete:shop/legacy
  trueup apply --auto-approve=no-impact
  trueup apply --due --auto-approve

Exit codes: 0 converged · 1 error, nothing changed · 3 incomplete, run it again · 4 refused: the plan is stale
            5 something is blocked · 6 a secret is at risk · 130, 143 interrupted`,
    drift: `
Examples:
  trueup drift
  trueup drift --format json --write sarif=drift.sarif
  trueup drift --for 3 --write prometheus=/var/lib/node_exporter/trueup.prom

Exit codes: 0 in sync · 1 error · 2 differences · 3 something could not be read`,
    list: `
Examples:
  trueup list
  trueup list --tree
  trueup list 'shop/*' --format env`,
    keys: `
Examples:
  trueup keys
  trueup keys --format json | jq '.keys[] | select(.last_used_at == null)'`,
    show: `
Examples:
  trueup show plan.json
  trueup show plan.json --format markdown > comment.md
  trueup show result.json --format html > report.html`,
    operations: `
Examples:
  trueup operations --running
  trueup operations --project shop --limit 5`,
    ping: `
Examples:
  trueup ping
  trueup ping --base-url http://127.0.0.1:4010/api/v2`,
    serve: `
Examples:
  trueup serve --data local
  trueup serve --port 0 --ephemeral
  TRUEUP_API_KEY_FILE=local/root-key trueup plan --base-url http://127.0.0.1:4010/api/v2`,
    completion: `
Examples:
  source <(trueup completion bash)
  trueup completion zsh > "\${fpath[1]}/_trueup"
  trueup completion fish > ~/.config/fish/completions/trueup.fish`,
    explain: `
Examples:
  trueup explain
  trueup explain autoscaling_limit_max_cu
  trueup explain rotate.every --format json`,
    schema: `
Examples:
  trueup schema > trueup.schema.json
  trueup schema plan`,
  },
};
