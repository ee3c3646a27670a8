import { z } from 'zod'

export const architectures = ['amd64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]
/** The words of Debian and of Node for the same processor. */
export const nodeArch = { amd64: 'x64', arm64: 'arm64' } as const satisfies Record<Architecture, string>

/** `codigo`: all own files except models. `pacote`: a package of the lock. `npm`: the npm client. */
const partKinds = ['codigo', 'modelo', 'node', 'npm', 'pacote'] as const

const path = z
  .string()
  .max(300)
  .regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[\w@./-]*$/, 'is a relative path without `..`')
const hex64 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.int().min(1).max(2_000_000_000)
const name = z.string().min(1).max(214)
const version = z.string().min(1).max(100)

const partSchema = z.strictObject({
  tipo: z.enum(partKinds),
  nome: name,
  versao: version,
  /** Folder of its files within the version; `codigo` has files anywhere else. */
  caminho: path,
  /** Hash and size in bytes of the packed part, which is also this part of the archive. */
  sha256: hex64,
  bytes: size,
  /** Sum of its files, bytes. */
  bytes_instalados: size,
})
export type Part = z.output<typeof partSchema>

/** A package that each machine fetches from the registry itself, because its licence forbids to pass it on. */
const fetchedSchema = z.strictObject({
  nome: name,
  versao: version,
  caminho: path,
  /** Hash of the archive of the registry, in the form of package-lock.json. */
  integridade: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
})
export type Fetched = z.output<typeof fetchedSchema>

/**
 * The contents of one component for one architecture. The archive is its parts in this order, followed by the end mark
 * of tar. The sum of `bytes` of the parts before is the position of a part in it.
 */
export const manifestSchema = z.strictObject({
  formato: z.literal(1),
  componente: z.enum(['edge', 'central']),
  arquitetura: z.enum(architectures),
  versao: version,
  /** A machine with this release never goes below this version. */
  versao_minima: version,
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  data: z.iso.datetime(),
  partes: z.array(partSchema).min(1).max(2_000),
  buscados: z.array(fetchedSchema).max(10),
})
export type Manifest = z.output<typeof manifestSchema>
