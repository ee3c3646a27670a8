import { join } from 'node:path'
import { readYaml } from './deploy-files.ts'
import { type Kustomization, kustomizationSchema, type Resource } from './kubernetes-schema.ts'

export interface Rendered {
  readonly resources: readonly Resource[]
  /** Values of the generated ConfigMap. */
  readonly config: Readonly<Record<string, string>>
}

export const nameOf = ({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>) => `${kind}/${metadata.name}`

export const pickKind = <K extends Resource['kind']>({ resources }: Pick<Rendered, 'resources'>, kind: K) =>
  resources.filter((each): each is Extract<Resource, { kind: K }> => each.kind === kind)

/** @param folder below `deploy/` */
export const readKustomization = (folder: string): Kustomization =>
  kustomizationSchema.parse(readYaml(`${folder}/kustomization.yaml`)[0])

/**
 * Renders a folder below `deploy/` like `kubectl kustomize`, as far as the files there use Kustomize. Returns the
 * resources with the patches of the overlay, and the settings. The resources are not checked.
 * @throws Error for a patch of a resource that does not exist
 */
export function renderKustomize(folder: string): Rendered {
  const { resources, patches = [], configMapGenerator = [] } = readKustomization(folder)
  const read = (file: string) => readYaml(`${folder}/${file}`) as Resource[]
  const isFile = (path: string) => path.endsWith('.yaml')
  const bases = resources.filter((path) => !isFile(path)).map((path) => renderKustomize(join(folder, path)))
  const all = [...bases.flatMap((base) => base.resources), ...resources.filter(isFile).flatMap(read)]
  const changes = patches.flatMap(({ path }) => read(path))
  for (const change of changes)
    if (!all.some((resource) => nameOf(resource) === nameOf(change)))
      throw new Error(`${folder}: no resource ${nameOf(change)} to patch`)
  const literals = configMapGenerator.flatMap((each) => each.literals)
  const own = Object.fromEntries(literals.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  return {
    resources: all.map((resource) =>
      changes
        .filter((change) => nameOf(change) === nameOf(resource))
        .reduce((merged, patch) => mergePatch(merged, patch) as Resource, resource),
    ),
    config: Object.assign({}, ...bases.map(({ config }) => config), own),
  }
}

/**
 * Applies a strategic merge patch (kubernetes.io, "Update API Objects in Place"). Objects merge, null removes a field,
 * containers merge by name, and other lists are replaced.
 */
function mergePatch(base: unknown, patch: unknown, key = ''): unknown {
  if (Array.isArray(base) && Array.isArray(patch) && key === 'containers') {
    const named = (list: unknown[]) => list as { name: string }[]
    return named(base).map((item) => mergePatch(item, named(patch).find((each) => each.name === item.name) ?? {}))
  }
  if (!isObject(base) || !isObject(patch)) return patch
  const merged: Record<string, unknown> = { ...base }
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field]
    else merged[field] = field in base ? mergePatch(base[field], value, field) : value
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
