/**
 * The registration of the IAs, one line each. Outside an IA's folder, the code of edge and cloud takes the name only
 * from here. The folder has the entries `catalogue.ts`, `rule.ts`, `evidence.ts`, `judge.ts`, and optionally `bench.ts`
 * (docs/adding-an-ia.md).
 */

export { catalogo as aglomeracao } from './aglomeracao/catalogue.ts'
export { catalogo as camera_obstruida } from './camera_obstruida/catalogue.ts'
export { catalogo as cruzamento_linha } from './cruzamento_linha/catalogue.ts'
export { catalogo as epi } from './epi/catalogue.ts'
export { catalogo as fogo } from './fogo/catalogue.ts'
export { catalogo as fumaca } from './fumaca/catalogue.ts'
export { catalogo as invasao } from './invasao/catalogue.ts'
export { catalogo as objeto_abandonado } from './objeto_abandonado/catalogue.ts'
export { catalogo as permanencia } from './permanencia/catalogue.ts'
export { catalogo as placa } from './placa/catalogue.ts'
export { catalogo as veiculo } from './veiculo/catalogue.ts'
