import { VigiaError } from '@vigia/contracts/errors'
import { catalogoIas } from '@vigia/contracts/ias'
import { modelFolder } from '@vigia/models/model-folder'
import { builtInModels } from './built-in-models.ts'
import { locate, type ModelManifest, manifestSchema, type TarefaVisao } from './manifest.ts'
import { findInFolder } from './model-folder.ts'

export type ModelId = (typeof builtInModels)[number]['id']

/** First model, on the edge, for every frame. */
export const defaultDetectorId: ModelId = 'nanodet-g-416'
/** Second model, in the cloud, for candidates: another network family, so that the errors differ. */
export const defaultSecondOpinionId: ModelId = 'ssdlite-mobilenetv2-300'

export type { ModelManifest, TarefaVisao } from './manifest.ts'

/** Manifest of a built-in model. Throws VigiaError `validacao` for an unknown id. */
export function modelManifest(id: string): ModelManifest {
  const found = builtInModels.find((manifest) => manifest.id === id)
  if (!found) {
    const known = builtInModels.map((manifest) => manifest.id).join(', ')
    throw new VigiaError('validacao', { detalhe: `Modelo desconhecido: ${id}. Os modelos disponíveis são: ${known}.` })
  }
  return locate(manifestSchema.parse(found), modelFolder(found.id))
}

/**
 * The model for a task: from the installer's `folder` of manifests if it has one, else the built-in one. `deteccao`
 * finds objects in a frame, `confirmacao` checks the boxes of an alarm. Throws VigiaError `validacao` with one
 * Portuguese sentence for an unusable manifest of the folder. A silent fall-back to the built-in model would hide the
 * error.
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

/**
 * The classifier that rates the boxes of `detector`; null: its confidences are final. A model of the installer has the
 * weights of its own classifier, or none.
 */
export async function secondStageOf(detector: ModelManifest, folder: string | null): Promise<ModelManifest | null> {
  const { id, tarefa } = detector
  const brought = folder === null ? null : await findInFolder(folder, tarefa, 'reavaliacao')
  const own = builtInModels.find((manifest) => manifest.tarefa === tarefa && manifest.uso === 'reavaliacao')
  const found = brought ?? (own ? modelManifest(own.id) : null)
  return found?.reavalia?.detector === id ? found : null
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

/** Labels that the IAs of this task use. */
const neededLabels = (tarefa: TarefaVisao): string[] => [
  ...new Set(Object.values(catalogoIas).flatMap((ia) => (ia.modelo === tarefa ? ia.rotulos : []))),
]
