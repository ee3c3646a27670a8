import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import type { z } from 'zod'
import { locate, type ModelManifest, manifestSchema, type TarefaVisao, tarefasVisao } from './manifest.ts'

type Uso = ModelManifest['uso']

/** An unusable manifest, with its task and use as far as they are readable. */
interface Damaged {
  readonly error: VigiaError
  readonly tarefa: string | undefined
  readonly uso: string
}

/**
 * Returns the manifest (`*.json`) in `folder` for this task and use; null: none. Throws VigiaError `validacao` for two
 * manifests and for an incorrect one. Without a valid one, it also throws for a damaged manifest whose task is
 * unreadable.
 */
export async function findInFolder(folder: string, tarefa: TarefaVisao, uso: Uso): Promise<ModelManifest | null> {
  const found: { path: string; manifest: ModelManifest }[] = []
  const lost: VigiaError[] = []
  for (const path of await manifestsIn(folder)) {
    const manifest = await readManifest(path)
    if ('error' in manifest) {
      if (!tarefasVisao.some((known) => known === manifest.tarefa)) lost.push(manifest.error)
      else if (manifest.tarefa === tarefa && manifest.uso === uso) throw manifest.error
    } else if (manifest.tarefa === tarefa && manifest.uso === uso) found.push({ path, manifest })
  }
  const [first, second] = found
  if (first && second) {
    throw incorrect(`Há dois manifestos para a tarefa ${tarefa}: ${first.path} e ${second.path}. Deixe só um na pasta.`)
  }
  if (!first && lost[0]) throw lost[0]
  return first?.manifest ?? null
}

async function manifestsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw incorrect(`Não foi possível ler a pasta de modelos ${folder}.`, cause)
  })
  // Other systems write files that begin with a dot (`._modelo.json`).
  const manifests = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  return manifests.toSorted().map((name) => join(folder, name))
}

async function readManifest(path: string): Promise<ModelManifest | Damaged> {
  let text = ''
  const damaged = (detalhe: string, cause: unknown): Damaged => {
    const says = (field: string) => new RegExp(`"${field}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1]
    const byDecoder = says('decodificador') === 'classificador' ? 'confirmacao' : 'deteccao'
    const uso = says('uso') ?? byDecoder
    return { error: incorrect(detalhe, cause), tarefa: says('tarefa'), uso }
  }
  let json: unknown
  try {
    text = await readFile(path, 'utf8')
    json = JSON.parse(text)
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'não é JSON válido' : 'não pôde ser lido'
    return damaged(`O manifesto do modelo em ${path} ${what}.`, cause)
  }
  const result = manifestSchema.safeParse(json)
  if (result.success) return locate(result.data, dirname(path))
  const fields = [...new Set(result.error.issues.flatMap(fieldNames))].join(', ')
  return damaged(`O manifesto do modelo em ${path} está incorreto. Corrija: ${fields}.`, result.error)
}

/** Path of each incorrect field (`entrada.largura`); unknown fields are marked. */
function fieldNames(issue: z.core.$ZodIssue): string[] {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => `${key} (não existe)`) : null
  const names = unknown?.map((name) => [...issue.path, name]) ?? [issue.path]
  return names.map((name) => name.join('.') || '(raiz)')
}

const incorrect = (detalhe: string, cause?: unknown) => new VigiaError('validacao', { detalhe, cause })
