import { agentes } from './agentes.ts'
import { aplicativo } from './aplicativo.ts'
import { auditoria } from './auditoria.ts'
import { avisos } from './avisos.ts'
import { busca } from './busca.ts'
import { caixas } from './caixas.ts'
import { camera } from './camera.ts'
import { cameras } from './cameras.ts'
import { canais } from './canais.ts'
import { chaves } from './chaves.ts'
import { conta } from './conta.ts'
import { demonstracao } from './demonstracao.ts'
import { empresas } from './empresas.ts'
import { entrada } from './entrada.ts'
import { gravadores } from './gravadores.ts'
import type { Journey } from './harness/journey.ts'
import { linhaDoTempo } from './linha-do-tempo.ts'
import { navegacao } from './navegacao.ts'
import { pendencias } from './pendencias.ts'
import { pessoas } from './pessoas.ts'
import { plantao } from './plantao.ts'
import { quedas } from './quedas.ts'
import { relatorios } from './relatorios.ts'

/** All journeys. `npm test` runs each once, `npm run journeys` on every screen. Those that need an alert come last. */
export const journeys: readonly Journey[] = [
  entrada,
  navegacao,
  aplicativo,
  avisos,
  cameras,
  camera,
  gravadores,
  demonstracao,
  caixas,
  quedas,
  empresas,
  pessoas,
  canais,
  chaves,
  agentes,
  pendencias,
  auditoria,
  plantao,
  busca,
  relatorios,
  linhaDoTempo,
  conta,
]
