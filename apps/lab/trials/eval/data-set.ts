import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { type ProductClass, parseClassesTxt, parseDataYaml, productClass } from './class-names.ts'
import { isFurg, parseFurgLabels, type Stretch } from './furg-labels.ts'
import { type Label, parseLabels } from './labels.ts'
import { ownLabels } from './own-labels.ts'
import { parseScenes, type Scene } from './scene.ts'
import { type LabelledBox, parseYoloLabels } from './yolo-labels.ts'

export interface Footage {
  readonly path: string
  /** Path below the data folder. */
  readonly name: string
  /** Rows of the `events.csv` in its folder, and of this project's labels for a folder of that name. */
  readonly labels: readonly Label[]
  /** Stretches with fire from the XML file of the same name; null: no such file. */
  readonly fire: readonly Stretch[] | null
  /** The footage is under a folder of fires, where labels may be incomplete. */
  readonly underFire: boolean
  /** From the `cena.json` in its folder or of this project's labels; null: none. */
  readonly scene: Scene | null
}

interface Still {
  readonly path: string
  readonly name: string
  /** `[]` also for a picture without a label in a labelled set: a background. */
  readonly boxes: readonly (LabelledBox & { readonly product: ProductClass })[]
}

export interface StillSet {
  /** Folder that names the classes, or the folder of the pictures. */
  readonly name: string
  /** Classes of the set that the product detects; `[]`: the set has no labels. */
  readonly classes: readonly ProductClass[]
  /** Classes that the product does not detect. */
  readonly ignored: readonly string[]
  readonly underFire: boolean
  readonly stills: readonly Still[]
}

export interface DataSet {
  readonly footage: readonly Footage[]
  readonly sets: readonly StillSet[]
  /** Ignored folders and classes with reasons; Portuguese. */
  readonly notes: readonly string[]
}

const VIDEOS = new Set(['.mp4', '.mkv', '.avi', '.mov', '.ts', '.webm', '.m4v'])
const PICTURES = new Set(['.jpg', '.jpeg', '.png', '.webp', '.bmp'])
const FIRE_FOLDER = /^(fire|fogo|incendio|incêndio)/i
/** `classes.txt` may be this many folders above `images/`. */
const CLASSES_ABOVE = 3

const NAME_FOLDER = 'Informe a pasta com --data PASTA ou na variável VIGIA_DADOS_TESTE.'

interface Folder {
  readonly path: string
  readonly files: readonly string[]
}

/**
 * Finds all footage and pictures below `dir`. Skips folders called `…-train` by default: the product's models were
 * trained on them. Throws VigiaError `nao_encontrado` for an empty result, `validacao` for unreadable labels.
 */
export async function findDataSet(dir: string, includeTraining: boolean): Promise<DataSet> {
  const notes: string[] = []
  const folders = await foldersBelow(dir, (path) => {
    if (includeTraining || !basename(path).endsWith('-train')) return true
    notes.push(`${relative(dir, path)}: pasta de treino, deixada de fora (--include-training a inclui).`)
    return false
  })
  const footage = (await Promise.all(folders.map((folder) => footageOf(dir, folder)))).flat()
  const sets = merged((await Promise.all(folders.map((folder) => stillsOf(dir, folder)))).flat())
  for (const { name, ignored } of sets)
    if (ignored.length > 0)
      notes.push(`${name}: classes que o produto não conhece, deixadas de fora: ${ignored.join(', ')}.`)
  if (footage.length + sets.length === 0) {
    throw new VigiaError('nao_encontrado', {
      detalhe: `Não há vídeos nem imagens em ${dir}. ${NAME_FOLDER}`,
    })
  }
  return { footage, sets, notes }
}

async function foldersBelow(dir: string, wanted: (path: string) => boolean): Promise<Folder[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  // Links to files are followed; links to folders are not, because they may form a loop.
  const isFile = async (entry: Dirent) =>
    entry.isFile() ||
    (entry.isSymbolicLink() && ((await stat(join(dir, entry.name)).catch(() => null))?.isFile() ?? false))
  const isFiles = await Promise.all(entries.map(isFile))
  const files = entries.filter((_, index) => isFiles[index]).map(({ name }) => name)
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  const paths = below.sort().map((name) => join(dir, name))
  const deeper = await Promise.all(paths.filter(wanted).map((path) => foldersBelow(path, wanted)))
  return [{ path: dir, files: files.sort() }, ...deeper.flat()]
}

const withExtension = (files: readonly string[], extensions: ReadonlySet<string>) =>
  files.filter((name) => extensions.has(extname(name).toLowerCase()))

/** The name of the data folder counts too: `--data …/fire` contains the same fires. */
const isUnderFire = (root: string, name: string): boolean =>
  dirname(join(basename(resolve(root)), name))
    .split(sep)
    .some((part) => FIRE_FOLDER.test(part))

async function footageOf(root: string, { path, files }: Folder): Promise<Footage[]> {
  const videos = withExtension(files, VIDEOS)
  if (videos.length === 0) return []
  const text = async (name: string) => (files.includes(name) ? await readFile(join(path, name), 'utf8') : null)
  const [csv, scenes, own] = await Promise.all([text('events.csv'), text('cena.json'), ownLabels(basename(path))])
  const labels = csv === null ? [] : parseLabels(csv)
  const sceneOf = scenes === null ? {} : parseScenes(scenes, join(path, 'cena.json'))
  const strangers = new Set(
    [...labels.map(({ video }) => video), ...Object.keys(sceneOf)].filter((name) => !videos.includes(name)),
  )
  if (strangers.size > 0) {
    const names = [...strangers].join(', ')
    const detalhe = `${path}: events.csv ou cena.json nomeia vídeos que não estão na pasta: ${names}.`
    throw new VigiaError('validacao', { detalhe })
  }
  return Promise.all(
    videos.map(async (video) => {
      const name = relative(root, join(path, video))
      const xml = await text(`${basename(video, extname(video))}.xml`)
      return {
        path: join(path, video),
        name,
        labels: [...labels, ...own.labels].filter((label) => label.video === video),
        fire: xml !== null && isFurg(xml) ? parseFurgLabels(xml, name) : null,
        underFire: isUnderFire(root, name),
        scene: sceneOf[video] ?? own.scenes[video] ?? null,
      }
    }),
  )
}

async function stillsOf(root: string, { path, files }: Folder): Promise<StillSet[]> {
  const pictures = withExtension(files, PICTURES)
  if (pictures.length === 0) return []
  const labelFolder = basename(path) === 'images' ? join(dirname(path), 'labels') : null
  const labelFiles = new Set(labelFolder ? await readdir(labelFolder).catch(() => []) : [])
  const named = labelFolder && labelFiles.size > 0 ? await classNamesOf(dirname(path)) : null
  const products = named?.names.map(productClass) ?? []
  const used = new Set<number>()
  const stills = await Promise.all(
    pictures.map(async (picture): Promise<Still> => {
      const file = `${basename(picture, extname(picture))}.txt`
      const readable = named !== null && labelFolder !== null && labelFiles.has(file)
      const all = readable ? parseYoloLabels(await readFile(join(labelFolder, file), 'utf8'), file) : []
      for (const { classe } of all) used.add(classe)
      const boxes = all.flatMap((label) => {
        const product = products[label.classe]
        return product ? [{ ...label, product }] : []
      })
      return { path: join(path, picture), name: relative(root, join(path, picture)), boxes }
    }),
  )
  const name = relative(root, named?.folder ?? path) || basename(root)
  return [
    {
      name,
      classes: products.filter((product) => product !== null),
      ignored: [...used].filter((classe) => !products[classe]).map((classe) => named?.names[classe] ?? `nº ${classe}`),
      underFire: isUnderFire(root, join(relative(root, named?.folder ?? path), 'x')),
      stills,
    },
  ]
}

/** Class names from the nearest `classes.txt` or `data.yaml`, with its folder. */
async function classNamesOf(folder: string): Promise<{ folder: string; names: string[] } | null> {
  let at = folder
  for (let up = 0; up <= CLASSES_ABOVE; up++, at = dirname(at)) {
    const txt = await readFile(join(at, 'classes.txt'), 'utf8').catch(() => null)
    if (txt !== null) return { folder: at, names: parseClassesTxt(txt) }
    const yaml = await readFile(join(at, 'data.yaml'), 'utf8').catch(() => null)
    const names = yaml === null ? null : parseDataYaml(yaml)
    if (names) return { folder: at, names }
  }
  return null
}

/** Merges the parts of one set (`valid/`, `test/`) that share class names. */
function merged(parts: readonly StillSet[]): StillSet[] {
  const byName = Map.groupBy(parts, ({ name }) => name)
  return [...byName].map(([name, some]) => ({
    name,
    classes: some[0]?.classes ?? [],
    ignored: [...new Set(some.flatMap(({ ignored }) => ignored))].sort(),
    underFire: some.some(({ underFire }) => underFire),
    stills: some.flatMap(({ stills }) => stills),
  }))
}
