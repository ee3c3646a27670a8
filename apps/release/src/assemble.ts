import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Licensed, licenceDocument } from './licence-texts.ts'
import { type Architecture, type Fetched, type Manifest, manifestSchema, nodeArch } from './manifest.ts'
import {
  type Component,
  components,
  type LockEntry,
  type LockPackages,
  nameAt,
  neededPackages,
} from './needed-packages.ts'
import { type MadePart, makePart, modelParts, packagePart, TOP } from './parts.ts'
import type { Tagged } from './read-tag.ts'
import { billOfMaterials, type Ingredient } from './sbom.ts'
import { archiveEnd, filesBelow } from './tar.ts'

/** No release goes below it: the first one. */
const LEAST_VERSION = '0.1.0'
/** The binary of node-av: each machine fetches it itself (docs/licences.md). */
const NOT_PASSED_ON = /^@seydx\/node-av-/

/** Paths of the packages that a component needs: passed on in its archive, or fetched by each machine. */
export function needs(packages: LockPackages, component: Component, arquitetura: Architecture) {
  const target = { platform: 'linux', arch: nodeArch[arquitetura] }
  const needed = neededPackages(packages, { ...components[component], target })
  const others = [...needed].filter((path) => packages[path]?.integrity).sort()
  const fetched = others.filter((path) => NOT_PASSED_ON.test(nameAt(path)))
  return { passedOn: others.filter((path) => !fetched.includes(path)), fetched }
}

export interface Assembly {
  readonly tagged: Tagged
  readonly packages: LockPackages
  /** The npm client, as an entry of the lock. */
  readonly npm: LockEntry
  /** Folders: temporary files, kept packages, result. */
  readonly work: string
  readonly kept: string
  readonly out: string
  /** Texts of packages inside files of a component: those of which the dashboard is built. */
  readonly inside: Readonly<Record<Component, readonly (Licensed & { readonly integridade: string })[]>>
}

/** Makes archives with the same packages from one set of parts. */
export function createAssembler({ tagged, packages, npm, work, kept, out, inside }: Assembly) {
  const made = new Map<string, MadePart>()
  const partOf = (path: string, entry: LockEntry, arquitetura: Architecture): MadePart => {
    const key = `${path} ${arquitetura}`
    const target = { platform: 'linux', arch: nodeArch[arquitetura] }
    const part = made.get(key) ?? packagePart(work, kept, path, entry, target)
    made.set(key, part)
    return part
  }

  /** Writes what differs between architectures into the stage and packs all own files but the models. */
  function codePart(
    stage: string,
    title: string,
    arquitetura: Architecture,
    others: readonly MadePart[],
    own: Component,
  ) {
    const nodeLink = join(stage, 'node_modules/.bin/node')
    mkdirSync(dirname(nodeLink), { recursive: true })
    rmSync(nodeLink, { force: true })
    symlinkSync(`../node-linux-${nodeArch[arquitetura]}/bin/node`, nodeLink)
    const licensed: Licensed[] = [
      {
        nome: title,
        versao: tagged.versao,
        licenca: 'Apache-2.0',
        textos: [readFileSync(join(stage, 'LICENSE'), 'utf8').trim()],
      },
      {
        nome: 'modelos',
        versao: tagged.versao,
        licenca: 'Apache-2.0',
        textos: [readFileSync(join(stage, 'packages/models/NOTICE.md'), 'utf8').trim()],
      },
      ...others.flatMap((part) => part.licensed),
      ...inside[own],
    ]
    const bundled = inside[own].map(
      (one): Ingredient => ({
        tipo: 'pacote',
        nome: one.nome,
        versao: one.versao,
        licenca: one.licenca,
        integridade: one.integridade,
        embutido: true,
      }),
    )
    const subject = { nome: title, versao: tagged.versao, committedS: tagged.committedS }
    const documents = {
      'licencas.txt': licenceDocument(`Licenças de ${title} ${tagged.versao}, ${arquitetura}`, licensed),
      'sbom.cdx.json': billOfMaterials(subject, [...others.flatMap((part) => part.ingredients), ...bundled]),
    }
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(stage, name), text)
    const models = others.filter(({ part }) => part.tipo === 'modelo').map(({ part }) => `${part.caminho}/`)
    const files = filesBelow(stage).filter((file) => !models.some((folder) => file.startsWith(folder)))
    const named = { tipo: 'codigo', nome: title, versao: tagged.versao, caminho: '' } as const
    const paths = files.map((file) => join(TOP, file))
    return { ...makePart(work, named, dirname(stage), paths, tagged.committedS), documents }
  }

  return {
    /** Writes archive, manifest, bill of materials and licence texts of one component for one architecture. */
    assemble(component: Component, stage: string, arquitetura: Architecture): Manifest {
      const title = `vigia-${component}`
      const { passedOn, fetched } = needs(packages, component, arquitetura)
      const ofLock = passedOn.map((path) => partOf(path, packages[path] ?? {}, arquitetura))
      const others = [partOf('npm', npm, arquitetura), ...modelParts(work, stage), ...ofLock]
      const code = codePart(stage, title, arquitetura, others, component)
      const all = [code, ...others]
      const manifest = manifestSchema.parse({
        formato: 1,
        componente: component,
        arquitetura,
        versao: tagged.versao,
        versao_minima: LEAST_VERSION,
        commit: tagged.commit,
        data: new Date(tagged.committedS * 1000).toISOString(),
        partes: all.map(({ part }) => part),
        buscados: fetched.map((path): Fetched => {
          const { version: versao = '', integrity: integridade = '' } = packages[path] ?? {}
          return { nome: nameAt(path), versao, caminho: path, integridade }
        }),
      })
      const base = join(out, `${title}-${tagged.versao}-${arquitetura}`)
      const archive = `${base}.tar.gz`
      for (const { file } of all) appendFileSync(archive, readFileSync(file))
      appendFileSync(archive, archiveEnd())
      writeFileSync(`${base}.manifesto.json`, `${JSON.stringify(manifest, null, 1)}\n`)
      for (const [name, text] of Object.entries(code.documents)) writeFileSync(`${base}.${name}`, text)
      return manifest
    },
  }
}
