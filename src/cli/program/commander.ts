// The only import of the argument parser.
export { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
