import { inPortuguese } from './locale.ts'

/** Sentences of the page itself about a failed request. The sentences of the cloud are Portuguese. */
const portuguese = {
  semConexao: 'Sem conexão com a central. Confira a rede e tente outra vez.',
  inesperada: 'A central respondeu algo que esta página não entende. Recarregue a página.',
  semDetalhe: 'A central não conseguiu atender o pedido. Tente outra vez.',
  reveja: 'Confira os campos indicados.',
  codigo: (id: string) => `(código ${id})`,
  pagina: 'Algo falhou nesta página. Recarregue e tente outra vez.',
}
const english: typeof portuguese = {
  semConexao: 'No connection to the server. Check the network and try again.',
  inesperada: 'The server sent an answer that this page does not understand. Reload the page.',
  semDetalhe: 'The server could not process the request. Try again.',
  reveja: 'Check the marked fields.',
  codigo: (id) => `(code ${id})`,
  pagina: 'Something failed on this page. Reload it and try again.',
}

export const failures = (): typeof portuguese => (inPortuguese() ? portuguese : english)
