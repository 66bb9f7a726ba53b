// The argument parser: only this file imports it.
export { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
