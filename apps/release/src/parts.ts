import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { keptFile } from './kept-packages.ts'
import { type Licensed, readNotices, standardTexts } from './licence-texts.ts'
import type { Part } from './manifest.ts'
import { isUnused, type LockEntry, nameAt, type Target } from './needed-packages.ts'
import { Refusal } from './refusal.ts'
import type { Ingredient } from './sbom.ts'
import { filesBelow, packFiles, unpack } from './tar.ts'

/** Folder of every archive. It has no version, so that an equal package has equal bytes in each release. */
export const TOP = 'vigia'
/** Time of files that are not own code, epoch seconds: the one that npm gives to its archives. */
const PACKAGE_TIME_S = 499_162_500

/** A packed part with what the documents of a release say about it. */
export interface MadePart {
  readonly part: Part
  /** File with its bytes. */
  readonly file: string
  readonly licensed: readonly Licensed[]
  readonly ingredients: readonly Ingredient[]
}

type Named = Pick<Part, 'tipo' | 'nome' | 'versao' | 'caminho'>

/** Packs files of `tree`, whose paths begin with TOP, into a file of `work`. */
export function makePart(work: string, named: Named, tree: string, files: readonly string[], mtimeS: number) {
  const { packed, installed } = packFiles(tree, files, mtimeS)
  const sha256 = createHash('sha256').update(packed).digest('hex')
  const file = join(work, `${sha256}.parte`)
  writeFileSync(file, packed)
  return { part: { ...named, sha256, bytes: packed.length, bytes_instalados: installed }, file }
}

/** `e_machine` of an ELF file (System V ABI). */
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 }
const ELF_HEAD_BYTES = 20

/** A program or library of another processor would fail only when it is loaded, on the customer's machine. */
function refuseForeignPrograms(folder: string, files: readonly string[], arch: string): void {
  for (const file of files) {
    const path = join(folder, file)
    if (!lstatSync(path).isFile()) continue
    const head = readHead(path, ELF_HEAD_BYTES)
    if (head.subarray(0, 4).toString('latin1') !== '\x7fELF') continue
    if (head.readUInt16LE(18) !== ELF_MACHINES[arch])
      throw new Refusal(`${file} não é um programa para ${arch}. Ajuste o que fica fora em needed-packages.ts.`)
  }
}

function readHead(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(bytes)
    readSync(file, head)
    return head
  } finally {
    closeSync(file)
  }
}

/** Packages that npm's client brings inside its own archive. */
function bundled(folder: string, files: readonly string[]): Omit<Ingredient, 'tipo'>[] {
  const manifests = files.filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
  return manifests.map((file) => {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    // `licenses` is the older form.
    return { nome: name, versao: version, licenca: license ?? licenses?.[0]?.type ?? 'NOASSERTION' }
  })
}

/** Makes the part of a package of the lock, or of the npm client (`caminho` `npm`), from its kept archive. */
export function packagePart(work: string, kept: string, path: string, entry: LockEntry, target: Target): MadePart {
  const { version: versao = '', integrity = '', license: licenca = 'NOASSERTION' } = entry
  const tipo = path === 'npm' ? 'npm' : path.startsWith('node_modules/node-linux-') ? 'node' : 'pacote'
  const nome = tipo === 'npm' ? 'npm' : nameAt(path)
  const tree = mkdtempSync(join(work, 'pacote-'))
  try {
    const folder = join(tree, TOP, path)
    unpack(keptFile(kept, integrity), folder, 1)
    const files = filesBelow(folder).filter((file) => !isUnused(nome, file, target))
    refuseForeignPrograms(folder, files, target.arch)
    const named = { tipo, nome, versao, caminho: path } as const
    const paths = files.map((file) => join(TOP, path, file))
    const inside = bundled(folder, files)
    const own = { nome, versao, licenca }
    return {
      ...makePart(work, named, tree, paths, PACKAGE_TIME_S),
      licensed: [{ ...own, textos: [...readNotices(folder, nome, files), ...standardTexts(licenca)] }],
      ingredients: [
        { tipo: 'pacote', ...own, integridade: integrity },
        ...inside.map((one) => ({ tipo: 'pacote' as const, ...one, embutido: true as const })),
      ],
    }
  } finally {
    rmSync(tree, { recursive: true })
  }
}

/** Makes a part of each model of a staged component. Models have no version: `versao` is a hash of their files. */
export function modelParts(work: string, stage: string): MadePart[] {
  const folders = globSync('packages/models/*/card.md', { cwd: stage }).map(dirname).sort()
  return folders.map((caminho) => {
    const files = filesBelow(join(stage, caminho)).map((file) => join(TOP, caminho, file))
    const card = readFileSync(join(stage, caminho, 'card.md'), 'utf8')
    const [, licenca = 'NOASSERTION'] = /^\* licence: (.+)$/m.exec(card) ?? []
    const digest = createHash('sha256')
    for (const file of files.filter((one) => one.endsWith('.onnx')))
      digest.update(readFileSync(join(dirname(stage), file)))
    const own = { nome: basename(caminho), versao: digest.digest('hex').slice(0, 12), licenca }
    const named = { tipo: 'modelo', nome: own.nome, versao: own.versao, caminho } as const
    return {
      ...makePart(work, named, dirname(stage), files, PACKAGE_TIME_S),
      licensed: [],
      ingredients: [{ tipo: 'modelo', ...own }],
    }
  })
}

/** The licence texts of packages that were unpacked below `folder`, whole, at their paths of the lock. */
export function licensedAt(folder: string, paths: Iterable<string>, packages: Readonly<Record<string, LockEntry>>) {
  return [...paths].sort().flatMap((path) => {
    const at = join(folder, path)
    const entry = packages[path]
    if (!entry?.integrity || !existsSync(at)) return []
    const nome = nameAt(path)
    const textos = readNotices(
      at,
      nome,
      filesBelow(at).filter((file) => !file.startsWith('node_modules/')),
    )
    return [
      {
        nome,
        versao: entry.version ?? '',
        licenca: entry.license ?? 'NOASSERTION',
        textos,
        integridade: entry.integrity,
      },
    ]
  })
}
