import { agentes } from './agentes.ts'
import { aplicativo } from './aplicativo.ts'
import { auditoria } from './auditoria.ts'
import { avisos } from './avisos.ts'
import { busca } from './busca.ts'
import { caixas } from './caixas.ts'
import { camera } from './camera.ts'
import { cameras } from './cameras.ts'
import { canais } from './canais.ts'
import { central } from './central.ts'
import { chaves } from './chaves.ts'
import { clipe } from './clipe.ts'
import { conta } from './conta.ts'
import { demonstracao } from './demonstracao.ts'
import { empresas } from './empresas.ts'
import { entrada } from './entrada.ts'
import { gravacoes } from './gravacoes.ts'
import { gravadores } from './gravadores.ts'
import { guias } from './guias.ts'
import type { Journey } from './harness/journey.ts'
import { linhaDoTempo } from './linha-do-tempo.ts'
import { navegacao } from './navegacao.ts'
import { pendencias } from './pendencias.ts'
import { pessoas } from './pessoas.ts'
import { placas } from './placas.ts'
import { plantao } from './plantao.ts'
import { quedas } from './quedas.ts'
import { relatorios } from './relatorios.ts'
import { remetentes } from './remetentes.ts'
import { retencao } from './retencao.ts'
import { verificadorExterno } from './verificador-externo.ts'

/** Journeys of people and Empresas, without a camera. */
export const pessoaJourneys: readonly Journey[] = [
  entrada,
  navegacao,
  aplicativo,
  avisos,
  empresas,
  verificadorExterno,
  retencao,
  pessoas,
  chaves,
  remetentes,
  agentes,
  pendencias,
  auditoria,
]

export const cameraJourneys: readonly Journey[] = [
  cameras,
  camera,
  placas,
  gravacoes,
  gravadores,
  demonstracao,
  caixas,
  quedas,
]

/** Journeys that need an alert. */
export const alertaJourneys: readonly Journey[] = [
  canais,
  plantao,
  central,
  busca,
  clipe,
  relatorios,
  linhaDoTempo,
  conta,
  guias,
]

/** All journeys. `npm test` runs each once, a test file for each list; `npm run lab -- journeys` on every screen. */
export const journeys: readonly Journey[] = [...pessoaJourneys, ...cameraJourneys, ...alertaJourneys]
