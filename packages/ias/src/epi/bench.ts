import { type IaBench, type PictureQuestion, shareAtLeast, sumOf } from '../bench-entry.ts'
import type { ItemEpi } from './catalogue.ts'

const missing = (item: ItemEpi, rotulo: string): PictureQuestion => ({
  item,
  rotulo,
  matches: ({ faltam }) => faltam?.includes(item) ?? false,
})

export const bench: IaBench = {
  setsDetectorConf: true,
  pictures: [missing('capacete', 'no_hardhat'), missing('colete', 'no_vest')],
  // Its inferences take half of the time.
  onlyLabelledSets: true,
  bounds: [
    {
      nome: 'epi: precisão de "sem capacete" no limiar padrão',
      limite: '≥ 80 %',
      razao: 'The event accuses a person: four of five must be right.',
      measure({ task }) {
        const some = task.detectors.filter(({ rotulo }) => rotulo === 'no_hardhat')
        const [right, all] = [sumOf(some, ({ certos }) => certos), sumOf(some, ({ achados }) => achados)]
        if (all > 0) return shareAtLeast(0.8, right, all)
        // A detector without any detection is never wrong, but useless.
        return sumOf(some, ({ rotulos }) => rotulos) > 0 ? { valor: 'nada encontrado', ok: false } : null
      },
    },
  ],
}
