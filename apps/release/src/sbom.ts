import { createHash } from 'node:crypto'

/** A component of the bill of materials. */
export interface Ingredient {
  readonly tipo: 'pacote' | 'modelo'
  readonly nome: string
  readonly versao: string
  readonly licenca: string
  /** sha512 of the archive of the registry, in the form of package-lock.json. */
  readonly integridade?: string
  /** Bundled into another file, not a folder of its own. */
  readonly embutido?: true
}

export interface Subject {
  readonly nome: string
  readonly versao: string
  /** Epoch seconds. */
  readonly committedS: number
}

const hex = (integridade: string) => Buffer.from(integridade.slice('sha512-'.length), 'base64').toString('hex')
/** https://github.com/package-url/purl-spec: the `@` of a scope is escaped. */
const purl = ({ nome, versao }: Ingredient) => `pkg:npm/${nome.replace('@', '%40')}@${versao}`
const refOf = (one: Ingredient) =>
  one.tipo === 'modelo' ? `modelo/${one.nome}` : `${purl(one)}${one.embutido ? '#embutido' : ''}`
/** A version 8 UUID (RFC 9562) from the contents, so that equal contents have an equal number. */
function uuid(contents: string): string {
  const digest = createHash('sha256').update(contents).digest()
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
/** `SEE LICENSE IN …` and the like are names; everything else of the lock is an SPDX expression. */
const licences = (licenca: string) =>
  /^[\w.+-]+( (OR|AND|WITH) [\w.+-]+)*$|^\([^)]*\)$/.test(licenca) && !['UNLICENSED', 'NOASSERTION'].includes(licenca)
    ? [{ expression: licenca }]
    : [{ license: { name: licenca } }]

/** A CycloneDX 1.6 document in JSON (https://cyclonedx.org/docs/1.6/json/). */
export function billOfMaterials(subject: Subject, ingredients: readonly Ingredient[]): string {
  // The same version of a package may lie at several paths.
  const once = new Map(ingredients.map((one) => [refOf(one), one]))
  const components = [...once].map(([ref, one]) => ({
    type: one.tipo === 'modelo' ? 'machine-learning-model' : 'library',
    'bom-ref': ref,
    name: one.nome,
    version: one.versao,
    ...(one.integridade !== undefined && { hashes: [{ alg: 'SHA-512', content: hex(one.integridade) }] }),
    licenses: licences(one.licenca),
    ...(one.tipo === 'pacote' && { purl: purl(one) }),
  }))
  const metadata = {
    timestamp: new Date(subject.committedS * 1000).toISOString(),
    component: {
      type: 'application',
      'bom-ref': subject.nome,
      name: subject.nome,
      version: subject.versao,
      licenses: [{ expression: 'Apache-2.0' }],
    },
  }
  const contents = JSON.stringify({ metadata, components })
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${uuid(contents)}`, version: 1 }
  return `${JSON.stringify({ ...head, metadata, components }, null, 1)}\n`
}
