/** Re-exports the catalogue of IAs of packages/ias. */
export {
  type ConfigIa,
  calibracaoPadrao,
  catalogoIas,
  ia,
  iasQueRompemSilencio,
  type NomeIa,
  nomesIas,
} from '@vigia/ias/catalogue'
export {
  type Gravidade,
  gravidades,
  type Ia,
  janelaDoClipe,
  type Limiar,
  type TarefaModelo,
  tarefasModelo,
} from '@vigia/ias/catalogue-entry'
export { type ProblemaImagem, problemasImagem } from '@vigia/ias/tasks/imagem'
