import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createAssembler, needs } from './assemble.ts'
import { fillKeptPackages, type Wanted } from './kept-packages.ts'
import type { Architecture, Manifest } from './manifest.ts'
import { isReleaseKey, publicKeyFile, signFile } from './minisign.ts'
import { type Component, type LockEntry, type LockPackages, nameAt, neededPackages } from './needed-packages.ts'
import { licensedAt } from './parts.ts'
import { readTag, type Tagged } from './read-tag.ts'
import { Refusal } from './refusal.ts'
import { buildDashboard, dashboardTools, PUBLIC_KEY, stageComponent, unpackCommit } from './source-tree.ts'

export interface ReleaseOptions {
  /** A clean checkout with the tag of its version. */
  readonly root: string
  /** Folder of the result, absent or empty. */
  readonly saida: string
  /** Folder of kept packages; filled from the registry where it lacks some. */
  readonly pacotes: string
  readonly componentes: readonly Component[]
  readonly arquiteturas: readonly Architecture[]
  /** File of the release key, PEM; null: not signed. */
  readonly chave: string | null
  print(line: string): void
}

const ownTarget = { platform: process.platform, arch: process.arch }

/** The npm client that deploy/program.sh pins, as an entry of the lock. */
function npmEntry(source: string): LockEntry {
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const [, hash = ''] =
    /^NPM_SHA512=([0-9a-f]{128})$/m.exec(readFileSync(join(source, 'deploy/program.sh'), 'utf8')) ?? []
  const integrity = `sha512-${Buffer.from(hash, 'hex').toString('base64')}`
  return { version: packageManager.slice('npm@'.length), integrity, license: 'Artistic-2.0' }
}

/** Packages of the registry that this release is made of, each once. */
function wantedPackages(packages: LockPackages, npm: LockEntry, options: ReleaseOptions): Wanted[] {
  const paths = options.componentes.flatMap((component) =>
    options.arquiteturas.flatMap((arquitetura) => needs(packages, component, arquitetura).passedOn),
  )
  const tools = options.componentes.includes('central') ? dashboardTools(packages, ownTarget) : []
  const wanted = new Map<string, Wanted>()
  const add = (nome: string, { version: versao = '', integrity: integridade }: LockEntry) => {
    if (integridade) wanted.set(integridade, { nome, versao, integridade })
  }
  for (const path of [...paths, ...tools]) add(nameAt(path), packages[path] ?? {})
  add('npm', npm)
  return [...wanted.values()].sort((a, b) => a.nome.localeCompare(b.nome, 'en'))
}

/** Reads the release key, whose public part must be the one of the tag. */
function readKey(source: string, file: string): string {
  const pem = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (!isReleaseKey(pem)) throw new Refusal(`${file} não é uma chave de versão (Ed25519, PKCS #8, sem senha).`)
  const committed = join(source, PUBLIC_KEY)
  const [, own] = publicKeyFile(pem).split('\n')
  if (!existsSync(committed) || readFileSync(committed, 'utf8').split('\n')[1] !== own)
    throw new Refusal(
      `A parte pública desta chave não está em ${PUBLIC_KEY} nesta versão, e sem ela ninguém pode conferir a ` +
        `assinatura. Copie ${file}.pub para lá, grave em um commit e refaça a etiqueta.`,
    )
  return pem
}

/** Writes SHA256SUMS over all files of a folder, and its signature. */
function sumAndSign(folder: string, { versao, commit }: Tagged, pem: string | null): void {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  const sums = Buffer.from(lines.join(''))
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  if (pem !== null) writeFileSync(join(folder, 'SHA256SUMS.minisig'), signFile(pem, sums, `vigia ${versao} ${commit}`))
}

/**
 * Makes a release. The result appears whole, by one rename, or not at all.
 * @throws Refusal when something must be corrected first.
 */
export function buildRelease(options: ReleaseOptions): Manifest[] {
  const { root, componentes, arquiteturas, pacotes, chave, print } = options
  const saida = resolve(options.saida)
  if (process.platform !== 'linux') throw new Refusal('Uma versão só é montada em Linux.')
  if (existsSync(saida) && readdirSync(saida).length > 0) throw new Refusal(`A pasta ${saida} não está vazia.`)
  const tagged = readTag(root)
  const work = mkdtempSync(join(tmpdir(), 'vigia-release-'))
  mkdirSync(dirname(saida), { recursive: true })
  const out = mkdtempSync(`${saida}.nova-`)
  chmodSync(out, 0o755)
  try {
    const source = unpackCommit(root, tagged.commit, work)
    const pem = chave === null ? null : readKey(source, chave)
    const { packages }: { packages: LockPackages } = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'))
    const npm = npmEntry(source)
    fillKeptPackages(pacotes, wantedPackages(packages, npm, options), print)

    const dashboard = componentes.includes('central') ? buildDashboard(source, work, packages, pacotes, ownTarget) : ''
    const ofDashboard = neededPackages(packages, { apps: ['apps/dashboard'], target: ownTarget })
    const inside = { edge: [], central: licensedAt(join(work, 'painel'), ofDashboard, packages) }
    const assembler = createAssembler({ tagged, packages, npm, work, kept: pacotes, out, inside })
    const manifests = componentes.flatMap((component) => {
      const stage = stageComponent(source, work, component, packages)
      if (component === 'central') {
        mkdirSync(join(stage, 'apps/dashboard'))
        renameSync(dashboard, join(stage, 'apps/dashboard/dist'))
      }
      return arquiteturas.map((arquitetura) => {
        print(`Montando ${component}, ${arquitetura}`)
        return assembler.assemble(component, stage, arquitetura)
      })
    })
    sumAndSign(out, tagged, pem)
    rmSync(saida, { recursive: true, force: true })
    renameSync(out, saida)
    return manifests
  } finally {
    rmSync(work, { recursive: true, force: true })
    rmSync(out, { recursive: true, force: true })
  }
}
