import { fileURLToPath } from 'node:url'
import { VigiaError } from '@vigia/contracts/errors'
import { catalogoIas } from '@vigia/contracts/ias'
import { builtInModels } from './built-in-models.ts'
import { locate, type ModelManifest, manifestSchema, type TarefaVisao } from './manifest.ts'
import { findInFolder } from './model-folder.ts'

/** Folder of the models that come with the product. */
const builtInFolder = fileURLToPath(new URL('../models/', import.meta.url))

export type ModelId = (typeof builtInModels)[number]['id']

/** First look, on the edge, at every frame. */
export const defaultDetectorId: ModelId = 'nanodet-g-416'
/** Second look, in the cloud, at candidates: a network of another family, so that the two do not err alike. */
export const defaultSecondOpinionId: ModelId = 'ssdlite-mobilenetv2-300'

export type { ModelManifest, TarefaVisao } from './manifest.ts'

/** Manifest of a model that comes with the product. Throws VigiaError `validacao` for an id that is not one of them. */
export function modelManifest(id: string): ModelManifest {
  const found = builtInModels.find((manifest) => manifest.id === id)
  if (!found) {
    const known = builtInModels.map((manifest) => manifest.id).join(', ')
    throw new VigiaError('validacao', { detalhe: `Modelo desconhecido: ${id}. Os modelos disponíveis são: ${known}.` })
  }
  return locate(manifestSchema.parse(found), builtInFolder)
}

/**
 * The model for a task: the one of the installer's `folder` of manifests, where there is one for it, else the one that comes with the
 * product. `deteccao` finds things in a frame, `confirmacao` takes a second look at the place of an alarm. Throws VigiaError
 * `validacao` with one Portuguese sentence when the folder's manifest cannot be used; the built-in one does not take its place, for
 * then nobody would notice.
 */
export async function chooseModel(
  tarefa: TarefaVisao,
  folder: string | null,
  uso: ModelManifest['uso'] = 'deteccao',
): Promise<ModelManifest> {
  const brought = folder === null ? null : await findInFolder(folder, tarefa, uso)
  if (brought) return seesWhatIsNeeded(brought)
  const own = builtInModels.find((manifest) => manifest.tarefa === tarefa && manifest.uso === uso)
  if (!own) throw new VigiaError('validacao', { detalhe: `Não há modelo para a tarefa ${tarefa} (${uso}).` })
  return modelManifest(own.id)
}

function seesWhatIsNeeded(manifest: ModelManifest): ModelManifest {
  const needed = neededLabels(manifest.tarefa)
  if (needed.some((label) => manifest.rotulos.includes(label))) return manifest
  throw new VigiaError('validacao', {
    detalhe:
      `O modelo ${manifest.id} não conhece nenhum dos rótulos da tarefa ${manifest.tarefa}: ${needed.join(', ')}. ` +
      'Corrija rotulos, ou diga em nomes como o modelo os chama.',
  })
}

/** What the analyses fed by this task look at. */
const neededLabels = (tarefa: TarefaVisao): string[] => [
  ...new Set(Object.values(catalogoIas).flatMap((ia) => (ia.modelo === tarefa ? ia.rotulos : []))),
]
