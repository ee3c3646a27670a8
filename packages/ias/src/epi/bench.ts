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
      nome: 'epi: precisão de "sem capacete", por imagem',
      limite: '≥ 80 %',
      razao: 'The event accuses a person: four of five must be right. The boxes of the model are coarse regions.',
      measure({ pictures }) {
        const some = pictures.filter(({ item }) => item === 'capacete')
        const right = sumOf(some, ({ vistas }) => vistas)
        const all = right + sumOf(some, ({ vistas_sem }) => vistas_sem.length)
        if (all > 0) return shareAtLeast(0.8, right, all)
        // A model that states nothing is never wrong, but useless.
        return sumOf(some, ({ positivas }) => positivas) > 0 ? { valor: 'nada encontrado', ok: false } : null
      },
    },
  ],
}
