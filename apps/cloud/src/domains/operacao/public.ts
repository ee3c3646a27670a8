// The names that other domains may use of `operacao`.
export { storePassageEvento } from './ingestao/passage-evento.ts'
export { eventOf, readStoredFields } from './ingestao/passagens/evento-row.ts'
