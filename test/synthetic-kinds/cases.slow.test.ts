// The program with the invented kinds, loaded once for all that is tried with its commands.
await import('./cases/read.ts');
await import('./cases/apply.ts');
await import('./cases/plans.ts');
await import('./cases/references.ts');
await import('./cases/account.ts');
await import('./cases/losses.ts');
await import('./cases/commands.ts');
await import('./cases/import.ts');
