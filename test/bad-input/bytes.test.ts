// Bad input, part 1: files and bytes.
import { systemFiles } from '../../src/config/files/read-files.ts';
import { bytesOf, folderOf } from '../support/files.ts';
import { runRows } from './rows.ts';

const utf16 = (text: string): Uint8Array => Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
const unreadable = {
  ...folderOf({ 'trueup.yaml': '' }),
  readFile: async (): Promise<Uint8Array> => {
    throw Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' });
  },
};
const huge = {
  ...folderOf({}),
  isFolder: async () => false,
  readFile: async () => Promise.reject(Object.assign(new Error('too large'), { code: 'EFBIG' })),
};
const twoFiles = {
  'a.yaml': 'version: 1\nprojects: { shop: { computes: { p: { branch: br-a-1, disabled: true } } } }\n',
  'b.yaml': 'version: 1\nprojects: { shop: { computes: { p: { disabled: true } } } }\n',
};

runRows([
  ['a missing file', {}, ['file_not_found -'], /trueup init/],
  [
    'a missing file of limits',
    { text: 'version: 1\n', safetyFiles: ['limits.yaml'] },
    ['file_not_found -'],
    /^limits\.yaml does not exist .*\nCheck the path after --safety/,
  ],
  [
    'a missing file of variables',
    { text: 'version: 1\n', variableFiles: ['ids.json'] },
    ['file_not_found -'],
    /^ids\.json does not exist .*\nCheck the path after --var-file/,
  ],
  ['a device', { paths: ['/dev/zero'], reader: systemFiles }, ['not_a_file -']],
  ['a folder without YAML', { paths: ['d'], files: { 'd/x.txt': '' } }, ['no_files -']],
  ['no permission', { reader: unreadable }, ['file_unreadable -'], /permission denied/],
  ['no byte', '', ['empty_file 1:1'], /never means "delete everything"/],
  ['white space', '  \n\n', ['empty_file 1:1']],
  ['comments', '# nothing\n', ['empty_file 1:1']],
  ['more than 64 MiB', { reader: huge }, ['files_too_large -']],
  ['UTF-16', utf16('version: 1\n'), ['encoding -'], /UTF-16/],
  ['UTF-16 without a mark', utf16('version: 1\n').subarray(2), ['encoding -']],
  ['UTF-32', Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61), ['encoding -']],
  ['Latin-1', Uint8Array.of(...bytesOf('version: 1\nname: M'), 0xfc, 0x6c), ['encoding 2:8'], /byte offset 18/],
  ['invalid UTF-8 in the middle', Uint8Array.of(0x61, 0xc3, 0x28), ['encoding 1:2']],
  ['a character cut off at the end', Uint8Array.of(0x61, 0xe2, 0x82), ['encoding 1:2']],
  ['a UTF-8 byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, ...bytesOf('version: 1\n')), []],
  ['NUL', 'version: 1\nexpect: a\u0000b\n', ['control_character 2:10'], /U\+0000/],
  ['a bidi override in a comment', 'version: 1 # \u202e\n', ['bidi_character 1:14']],
  ['CRLF: columns are right', 'version: 1\r\nfoo: 1\r\n', ['unknown_key 2:1']],
  ['CR only', 'version: 1\rfoo: 1\r', ['unknown_key 2:1']],
  ['no final newline', 'version: 1', []],
  ['a line of 2 MB', `version: 1\nx: "${'a'.repeat(2_000_000)}"\n`, ['too_long 2:4']],
  [
    'a closed stdin',
    { paths: ['-'], stdin: async () => Promise.reject(new Error('stdin is closed')) },
    ['file_unreadable -'],
    /stdin is closed/,
  ],
  ['an empty stdin', { paths: ['-'] }, ['empty_file -:1:1']],
  [
    'one attribute in two files',
    { paths: ['a.yaml', 'b.yaml'], files: twoFiles },
    ['written_twice b.yaml:2:38'],
    /projects\.shop\.computes\.p\.disabled/,
  ],
]);
