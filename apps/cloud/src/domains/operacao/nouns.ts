// The nouns of `operacao`, one line each.
export { calibracao } from './calibracao/noun.ts'
export { lacunas } from './lacunas/noun.ts'
export { linhaDoTempo } from './linha-do-tempo/noun.ts'
export { pendencias } from './pendencias/noun.ts'
export { quedas } from './quedas/noun.ts'
export { retencao } from './retencao/noun.ts'
export { verificacao } from './verificacao/noun.ts'
export { verificadorExterno } from './verificador-externo/noun.ts'
