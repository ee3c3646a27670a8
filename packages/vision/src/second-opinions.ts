import { VigiaError } from '@vigia/contracts/errors'
import { ia, type NomeIa, type ProblemaImagem } from '@vigia/contracts/ias'
import type { TarefaVisao } from './manifest.ts'
import { chooseModel } from './registry.ts'
import {
  type Candidate,
  createSecondOpinion,
  type Demand,
  type Judge,
  type Opinion,
  type SecondOpinion,
  usualDemand,
} from './second-opinion.ts'
import { createEpiOpinion } from './second-opinion-epi.ts'
import { createFireOpinion, withTime } from './second-opinion-fire.ts'
import { assessPicture, pictureOpinionId } from './second-opinion-picture.ts'

/** An alarm of any IA. */
export interface Alarm extends Omit<Candidate, 'rotulos'> {
  readonly ia: NomeIa
  /** camera_obstruida: what is said to be the matter; null: not known. */
  readonly problema: ProblemaImagem | null
}

export interface SecondOpinions {
  /**
   * The second look at one alarm, with the name of what looked. A model is loaded when an alarm first needs it. Throws VigiaError
   * `validacao` when the picture cannot be decoded, and `interno` with one Portuguese sentence when nothing here can judge this IA: its
   * model cannot be used (it is tried again with the next alarm), or there is none.
   */
  assess(alarm: Alarm): Promise<Opinion & { readonly modelo: string }>
  close(): Promise<void>
}

export interface SecondOpinionsOptions {
  /** Manifests of the installer's own models (registry.ts); null: only those that come with the product. */
  readonly folder: string | null
  /** Threads of one run. */
  readonly threads?: number
}

const demands: Partial<Record<NomeIa, Demand>> = {
  // Half of them: the second model overlooks people who stand behind others, and a crowd of shadows is none.
  aglomeracao: { ...usualDemand, share: 0.5 },
  // Bags are what such networks see least well: a hint is enough, and it is looked for twice. Not measured, for want of footage.
  objeto_abandonado: { confirm: 0.05, share: 0, factors: [2, 3] },
}

/** A second opinion for every IA of the catalogue but plates. */
export function createSecondOpinions({ folder, threads = 1 }: SecondOpinionsOptions): SecondOpinions {
  const loaded = new Map<TarefaVisao, Promise<Judge>>()
  const options = { threads }

  const once = <J extends Judge>(tarefa: TarefaVisao, load: () => Promise<J>): Promise<J> => {
    const known = loaded.get(tarefa) as Promise<J> | undefined
    if (known) return known
    const made = load().catch((error: unknown) => {
      // Whoever put a broken file there may repair it: the next alarm tries again.
      loaded.delete(tarefa)
      throw error instanceof VigiaError ? new VigiaError('interno', { detalhe: error.detalhe, cause: error }) : error
    })
    loaded.set(tarefa, made)
    return made
  }

  const objects = (): Promise<SecondOpinion> =>
    once('objetos', async () => createSecondOpinion(await chooseModel('objetos', folder, 'confirmacao'), options))

  /** A classifier says what a place shows; a detector that is brought for this use is asked as the one for objects is. */
  const specialist = (tarefa: 'epi' | 'fogo'): Promise<Judge> =>
    once(tarefa, async () => {
      const manifest = await chooseModel(tarefa, folder, 'confirmacao')
      if (manifest.decodificador !== 'classificador') {
        const detector = await createSecondOpinion(manifest, options)
        return tarefa === 'fogo' ? withTime(detector) : detector
      }
      return tarefa === 'fogo' ? createFireOpinion(manifest, options) : createEpiOpinion(manifest, objects, options)
    })

  return {
    async assess({ problema, ...alarm }) {
      const { modelo: tarefa, rotulos } = ia(alarm.ia)
      const candidate = { ...alarm, rotulos }
      switch (tarefa) {
        case 'objetos': {
          const judge = await objects()
          return { ...(await judge.assess(candidate, demands[alarm.ia])), modelo: judge.id }
        }
        case 'epi':
        case 'fogo': {
          const judge = await specialist(tarefa)
          return { ...(await judge.assess(candidate)), modelo: judge.id }
        }
        case null:
          return { ...(await assessPicture(alarm.frame ?? alarm.crop, problema)), modelo: pictureOpinionId }
        case 'placas':
          throw new VigiaError('interno', { detalhe: 'Não há segundo modelo para placas. Use outro verificador.' })
      }
    },
    async close() {
      const judges = await Promise.allSettled(loaded.values())
      loaded.clear()
      await Promise.all(judges.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
    },
  }
}
