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
  { id: 'B1', what: 'a missing file', expected: ['file_not_found -'], says: /trueup init/ },
  {
    id: 'B1',
    what: 'a missing file of limits',
    text: 'version: 1\n',
    given: { safetyFiles: ['limits.yaml'] },
    expected: ['file_not_found -'],
    says: /^limits\.yaml does not exist .*\nCheck the path after --safety/,
  },
  {
    id: 'B1',
    what: 'a missing file of variables',
    text: 'version: 1\n',
    given: { variableFiles: ['ids.json'] },
    expected: ['file_not_found -'],
    says: /^ids\.json does not exist .*\nCheck the path after --var-file/,
  },
  { id: 'B2', what: 'a device', given: { paths: ['/dev/zero'], reader: systemFiles }, expected: ['not_a_file -'] },
  {
    id: 'B2',
    what: 'a folder without YAML',
    given: { paths: ['d'], files: { 'd/x.txt': '' } },
    expected: ['no_files -'],
  },
  {
    id: 'B3',
    what: 'no permission',
    given: { reader: unreadable },
    expected: ['file_unreadable -'],
    says: /permission denied/,
  },
  { id: 'B4', what: 'no byte', text: '', expected: ['empty_file 1:1'], says: /never means "delete everything"/ },
  { id: 'B4', what: 'white space', text: '  \n\n', expected: ['empty_file 1:1'] },
  { id: 'B4', what: 'comments', text: '# nothing\n', expected: ['empty_file 1:1'] },
  { id: 'B5', what: 'more than 64 MiB', given: { reader: huge }, expected: ['file_too_large -'] },
  { id: 'B6', what: 'UTF-16', text: utf16('version: 1\n'), expected: ['encoding -'], says: /UTF-16/ },
  { id: 'B6', what: 'UTF-16 without a mark', text: utf16('version: 1\n').subarray(2), expected: ['encoding -'] },
  { id: 'B6', what: 'UTF-32', text: Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61), expected: ['encoding -'] },
  {
    id: 'B6',
    what: 'Latin-1',
    text: Uint8Array.of(...bytesOf('version: 1\nname: M'), 0xfc, 0x6c),
    expected: ['encoding 2:8'],
    says: /byte offset 18/,
  },
  { id: 'B7', what: 'invalid UTF-8 in the middle', text: Uint8Array.of(0x61, 0xc3, 0x28), expected: ['encoding 1:2'] },
  {
    id: 'B7',
    what: 'a character cut off at the end',
    text: Uint8Array.of(0x61, 0xe2, 0x82),
    expected: ['encoding 1:2'],
  },
  {
    id: 'B8',
    what: 'a UTF-8 byte order mark',
    text: Uint8Array.of(0xef, 0xbb, 0xbf, ...bytesOf('version: 1\n')),
    expected: [],
  },
  {
    id: 'B9',
    what: 'NUL',
    text: 'version: 1\nexpect: a\u0000b\n',
    expected: ['control_character 2:10'],
    says: /U\+0000/,
  },
  { id: 'B9', what: 'a bidi override in a comment', text: 'version: 1 # \u202e\n', expected: ['bidi_character 1:14'] },
  { id: 'B10', what: 'CRLF: columns are right', text: 'version: 1\r\nfoo: 1\r\n', expected: ['unknown_key 2:1'] },
  { id: 'B10', what: 'CR only', text: 'version: 1\rfoo: 1\r', expected: ['unknown_key 2:1'] },
  { id: 'B11', what: 'no final newline', text: 'version: 1', expected: [] },
  {
    id: 'B12',
    what: 'a line of 2 MB',
    text: `version: 1\nx: "${'a'.repeat(2_000_000)}"\n`,
    expected: ['too_long 2:4'],
  },
  {
    id: 'B14',
    what: 'a closed stdin',
    given: { paths: ['-'], stdin: async () => Promise.reject(new Error('stdin is closed')) },
    expected: ['file_unreadable -'],
    says: /stdin is closed/,
  },
  { id: 'B14', what: 'an empty stdin', given: { paths: ['-'] }, expected: ['empty_file -:1:1'] },
  {
    id: 'B15',
    what: 'one attribute in two files',
    given: { paths: ['a.yaml', 'b.yaml'], files: twoFiles },
    expected: ['written_twice b.yaml:2:38'],
    says: /projects\.shop\.computes\.p\.disabled/,
  },
]);
