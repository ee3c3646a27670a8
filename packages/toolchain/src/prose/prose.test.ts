import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSource } from './check.ts'
import { covers, workspaceOf } from './files.ts'
import { checkFileName } from './glossary.ts'
import { drawSentences } from './sample.ts'
import { sentencesOf } from './sentences.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
const messages = (file: string, source: string) =>
  checkSource(file, source).map(({ line, message }) => `${line}: ${message}`)

describe('the prose lint', () => {
  it.each([
    ['a line comment', `// The ${'ho'}use is large.\n`],
    ['a docstring', `/**\n * Keeps it.\n *\n * Opens the ${'do'}or.\n */\nexport const a = 1\n`],
    [
      'a log message',
      `declare const log: { error(a: object, b: string): void }\nlog.error({ a: 1 }, 'no ${'ro'}om')\n`,
    ],
    ['the message of an error', `throw new RangeError(\`nobody is ${'to'}ld of \${1 + 1}\`)\n`],
    ['a test name', `it.each([1])('%s has ${'pati'}ence', () => {})\n`],
    ['a suite name', `describe('the ${'wi'}sh', () => {})\n`],
    ['JSX', `export const A = () => (\n  <p>\n    {/* a ${'lo'}ok */}\n    d'água\n  </p>\n)\n`],
  ])('finds a forbidden word in %s', (_, source) => {
    expect(messages('packages/ias/src/a.tsx', source)).toEqual([expect.stringMatching(/^\d+: "/)])
  })

  it.each([
    ['a.sh', `#!/bin/sh\n# Opens it.\n# Behind the ${'do'}or.\nset -eu\n`, 3],
    ['a.sh', `printf '# none: ${'do'}or' # a ${'do'}or\n`, 1],
    ['a.yml', `image: a#${'ro'}om\nname: b # no ${'ro'}om\n`, 2],
    ['a.py', `def a():\n    """Text.\n\n    The ${'wi'}sh.\n    """\n    return "# a ${'wi'}sh"\n`, 4],
    ['a.css', `.${'do'}or {\n  /* ${'Le'}ast height. */\n  top: 0; /* px */\n}\n`, 2],
  ])('reads the comments of %s', (file, source, line) => {
    expect(messages(`deploy/${file}`, source)).toEqual([expect.stringMatching(new RegExp(`^${line}: "`))])
  })

  it.each([
    ['The ', 'house'],
    ['Two ', 'rooms'],
    ['Behind the ', 'door'],
    ['This is ', 'the way of', ' an event'],
    ['Nobody is ', 'told'],
    ['It ', 'tells'],
    ['Its ', 'wish'],
    ['Its ', 'patience'],
    ['Its ', 'eyes'],
    ['Needs ', 'a look'],
    ['Runs ', 'the look'],
    ['It ', 'looks at', ' a frame'],
    ['Takes ', 'looks'],
    ['Some ', 'places'],
    ['At its ', 'pace'],
    ['Waits for ', 'pacing', ' readers.'],
    ['Holds ', 'permits'],
    ['Three ', 'sightings'],
    ['It helps ', 'whoever', ' asks'],
    ['It is given ', 'to who', ' asks'],
    ['', 'Who', ' was seen is known.'],
    ['', 'What', ' is found becomes a track.'],
    ['', 'Whatever', ' is found becomes a track.'],
    ['The gate passes it', '; what is', ' found becomes a track'],
    ['', 'Least', ' height of a crop.'],
    ['', 'Most sessions that', ' a list shows.'],
    ['', 'Of', ' two calls the first is answered.'],
    ['', 'Since when', ' the clock is in doubt.'],
    ['The last chunk ', 'is not waited for'],
  ])('rejects "%s%s"', (before, forbidden, after = '.') => {
    expect(messages('docs/a.md', `${before}${forbidden}${after}\n`)).toEqual([
      expect.stringContaining(`1: "${forbidden}"`),
    ])
  })

  it.each([
    'Ports that are in use are replaced.',
    'The store looks up the row.',
    'The value has two decimal places.',
    'What does the edge send?',
    'A person who waits is notified.',
    'The option `doors` and https://example.org/house/ are names.',
  ])('accepts "%s"', (text) => {
    expect(messages('docs/a.md', `${text}\n`)).toEqual([])
  })

  it('accepts 25 words and rejects 26', () => {
    expect(messages('docs/a.md', `${words(25)}.\n`.replace(/(.{100}) /g, '$1\n'))).toEqual([])
    expect(messages('docs/a.md', `${words(26)}.\n`.replace(/(.{100}) /g, '$1\n'))).toEqual([
      '1: sentence has 26 words, the limit is 25',
    ])
  })
  it('reports the line on which the sentence begins', () => {
    expect(messages('packages/ias/src/a.ts', `/**\n * Short. And\n * short. ${'Lo'}ng ${words(26)} */\n`)).toContain(
      '3: sentence has 27 words, the limit is 25',
    )
  })
  it('rejects a line of 121 columns, except one without a break point', () => {
    expect(messages('packages/ias/src/a.ts', `export const a = ['${'ab '.repeat(32)}', 1]\n`)).toEqual([])
    expect(messages('packages/ias/src/a.ts', `export const a = ['${'ab '.repeat(32)}', 12]\n`)).toEqual([
      '1: line has 121 columns, the limit is 120',
    ])
    expect(messages('docs/a.md', `See https://example.org/${'a'.repeat(120)}\n`)).toEqual([])
  })
  it('skips text between the markers of a generated block', () => {
    const generated = `<!-- medidas: início -->\n${words(30)}\n<!-- medidas: fim -->\n`
    expect(messages('docs/a.md', generated)).toEqual([])
    expect(messages('docs/a.md', `${generated}A house.\n`)).toEqual([expect.stringContaining('4: "house"')])
  })
  it('checks Portuguese documents for the length of their lines only', () => {
    expect(messages('docs/pt/a.md', `A house ${words(30)}.\n`)).toEqual(['1: line has 208 columns, the limit is 120'])
  })
  it('does not read Portuguese messages as English', () => {
    expect(messages('packages/ias/src/a.ts', "throw new Error('O doors de que a caixa não se lembra.')\n")).toEqual([])
  })
})

describe('sentences', () => {
  const split = (text: string) => sentencesOf({ kind: 'document', line: 1, text }).map((sentence) => sentence.text)

  it.each([
    ['abbreviations', 'Short forms, e.g. MJPEG, are kept. They stay.', 2],
    ['code with a stop', 'The file `a.b. C` is read. `x` follows.', 2],
    ['decimal numbers', 'It takes 1.5 s. 3 of them pass.', 2],
    ['an address', 'See https://example.org/a.B?c=D. Then go on.', 2],
    ['quotes', 'It prints "done." Then it ends.', 2],
    ['a line break', 'One sentence\nover two lines.', 1],
  ])('%s', (_, text, count) => {
    expect(split(text)).toHaveLength(count)
  })
  it('a list item, a tag of a docstring and a cell of a table end a sentence', () => {
    const source = `/**\n * Text without a stop\n * - ${words(20)}\n * - ${words(20)}\n * @param a ${words(20)}\n */`
    expect(messages('packages/ias/src/a.ts', source)).not.toContainEqual(expect.stringContaining('sentence'))
    expect(messages('docs/a.md', `| ${words(20)} | \`a|b\` ${words(20)} |\n`)).toEqual([
      expect.stringContaining('columns'),
    ])
  })
  it('an example or a drawing contains no sentence', () => {
    expect(messages('docs/a.md', `\`\`\`sh\n${words(14)}\n${words(14)}\n\`\`\`\n`)).toEqual([])
  })
})

describe('the glossary lint', () => {
  it.each([
    ['apps/cloud/src/a.ts', 'const agora = 1', 'agora'],
    ['apps/cloud/src/a.ts', 'function a(nowMs: number) {}', 'nowMs'],
    ['apps/cloud/src/a.ts', 'const f = async (trx: object) => trx', 'trx'],
    ['packages/ias/src/a.ts', 'let isTold = false', 'isTold'],
    ['packages/ias/src/a.ts', 'function freePlaces() {}', 'freePlaces'],
    ['packages/ias/src/a.ts', 'const lookAt = 1', 'lookAt'],
    ['packages/ias/src/a.ts', 'interface Watch {}', 'Watch'],
    ['packages/ias/src/a.ts', 'type FireWatch = 1', 'FireWatch'],
    ['packages/ias/src/a.ts', 'const keyframePatience = 1', 'keyframePatience'],
    ['packages/ias/src/a.ts', 'type PictureWish = 1', 'PictureWish'],
    ['packages/ias/src/a.ts', 'const hasRoom = 1', 'hasRoom'],
    ['packages/ias/src/a.ts', 'const createUploadPace = 1', 'createUploadPace'],
    ['packages/ias/src/a.ts', 'interface HostPermits {}', 'HostPermits'],
    ['packages/ias/src/a.ts', 'const isPermitted = 1', 'isPermitted'],
    ['packages/ias/src/a.ts', 'const MOVED_SIGHTINGS = 1', 'MOVED_SIGHTINGS'],
    ['apps/cloud/src/a.ts', 'const findRecorder = 1', 'findRecorder'],
    ['apps/cloud/src/a.ts', 'const openOutages = 1', 'openOutages'],
    ['apps/cloud/src/a.ts', 'interface GapRow {}', 'GapRow'],
    ['apps/cloud/src/a.ts', 'interface EventRow {}', 'EventRow'],
    ['apps/dashboard/src/alertas/a.ts', 'type AlertList = 1', 'AlertList'],
    ['apps/dashboard/src/a.ts', 'const boxForm = 1', 'boxForm'],
    ['apps/dashboard/src/a.ts', 'const camposCaixa = 1', 'camposCaixa'],
  ])('rejects in %s: %s', (file, source, name) => {
    expect(messages(file, `${source}\n`)).toEqual([expect.stringContaining(`name "${name}"`)])
  })

  it.each([
    'apps/cloud/src/domains/locais/cameras/record-camera.ts',
    'apps/cloud/src/domains/locais/gravadores/list-recorders.ts',
    'apps/cloud/src/domains/operacao/quedas/view-outage.ts',
    'apps/cloud/src/domains/operacao/lacunas/list-gaps.ts',
    'apps/cloud/src/domains/eventos/eventos/get-event.ts',
    'apps/cloud/src/domains/pessoas/chaves/key-token.ts',
    'apps/dashboard/src/alertas/alert-card.tsx',
    'apps/dashboard/src/caixas/form.ts',
    'apps/dashboard/src/edges/edit-box.tsx',
    'packages/ias/src/fire-places.ts',
    'packages/ias/src/watch.ts',
    'packages/ias/src/upload-pace.ts',
    'packages/ias/src/host-permits.ts',
    'packages/ias/src/vehicle-sight.ts',
    'packages/toolchain/src/doors.test.ts',
  ])('rejects the file name %s', (file) => {
    expect(checkFileName(file)).toHaveLength(1)
  })

  it.each([
    ['apps/cloud/src/a.ts', 'const now = 1'],
    ['apps/cloud/src/a.ts', 'const { replaces, lookUp } = { replaces: 1, lookUp: 2 }'],
    ['packages/rtsp/src/a.ts', 'const recorder = 1'],
    ['packages/ias/src/a.ts', 'const box: Box = 1'],
    ['apps/dashboard/src/a.ts', "import { Box } from '@mantine/core'"],
    ['packages/runtime/src/a.ts', 'interface Watchdog {}'],
    ['apps/cloud/src/a.ts', 'const freeSpace = { redes_permitidas: 1, webhookPermitir: 2 }'],
  ])('accepts in %s: %s', (file, source) => {
    expect(messages(file, `${source}\n`)).toEqual([])
  })
})

describe('workspaces', () => {
  it.each([
    ['packages/ias/src/a.ts', 'packages/ias'],
    ['apps/cloud/src/domains/locais/cameras/store.ts', 'apps/cloud:cameras'],
    ['apps/cloud/src/domains/agentes/mcp/tools/a.ts', 'apps/cloud:mcp'],
    ['apps/cloud/src/db/open.ts', 'apps/cloud:db'],
    ['apps/cloud/src/app.ts', 'apps/cloud:src'],
    ['apps/dvr-simulator/README.md', 'apps/dvr-simulator:src'],
    ['docs/decisions/0001.md', 'docs'],
    ['README.md', 'docs'],
    ['deploy/README.md', 'deploy'],
  ])('%s belongs to %s', (file, workspace) => {
    expect(workspaceOf(file)).toBe(workspace)
  })
  it('an app covers its parts, and a part covers only itself', () => {
    expect(covers('apps/cloud', 'apps/cloud/src/db/open.ts')).toBe(true)
    expect(covers('apps', 'apps/cloud/src/db/open.ts')).toBe(true)
    expect(covers('apps/cloud:db', 'apps/cloud/src/app.ts')).toBe(false)
    expect(covers('packages/rtsp', 'packages/rtsp-other/src/a.ts')).toBe(false)
  })
})

describe('the sample', () => {
  it('is equal for equal seeds, differs between seeds, and keeps the order of the files', () => {
    const root = mkdtempSync(join(tmpdir(), 'vigia-prose-'))
    try {
      spawnSync('git', ['init', '-q', root])
      const text = Array.from({ length: 200 }, (_, index) => `Sentence number ${index} has five words.`).join('\n\n')
      writeFileSync(join(root, 'README.md'), text)
      const draw = (seed: number) => drawSentences(root, 'docs', seed, 40)
      expect(draw(1)).toEqual(draw(1))
      expect(draw(1)).not.toEqual(draw(2))
      expect(draw(1)).toHaveLength(40)
      const lines = draw(1).map(({ line }) => line)
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b))
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
