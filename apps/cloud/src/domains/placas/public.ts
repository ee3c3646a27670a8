// The names that other domains may use of `placas`.
export { deletePassagensOf } from './passagens/delete-passagens.ts'
