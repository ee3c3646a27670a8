import type { SameTexts } from './shape.ts'

/** English texts about Empresas and their limits. */
export const empresas: SameTexts<typeof import('./pt-br-empresas.ts')['empresas']> = {
  titulo: 'Companies',
  ajuda: 'The limit and use of a company count everything in it and in the companies below it.',
  so: 'Only the administrator of the account sees the companies and their limits.',
  lista: 'Companies',
  procurar: 'Search by name',
  nenhuma: 'No company has this name',
  nenhumaTexto: 'Check the name, or clear the search to see all.',
  abaixoDe: 'Below {{nome}}',
  uso: '{{uso}} of {{limite}}',
  usoAcima: '{{uso}} of {{limite}}; the company above has room for {{livres}} more',
  verMais: 'Show more companies',
  limites: 'Change limits',
  limitesRotulo: 'Change limits of {{nome}}',
  peca: 'To change a limit, ask the administrator of the account above or the operator of the installation.',
  tipos: {
    cameras: 'cameras',
    gravadores: 'recorders',
    edges: 'boxes',
    usuarios: 'logins',
    canais: 'notification channels',
    agentes: 'agents',
    chaves: 'integration keys',
  },
  formulario: {
    titulo: 'Limits: {{nome}}',
    ajuda:
      'Each limit applies to this company and those below it together. A limit below the use removes nothing: it ' +
      'only prevents new ones.',
    campo: 'Limit of {{nome}}',
    emUso: '{{uso}} in use',
    limiteErrado: 'Enter a whole number from 0 to 100000.',
  },
  segundoFator: {
    rotulo: 'Second factor of the logins',
    rotuloDe: 'Second factor of the logins of {{nome}}',
    acima: 'As the company above',
    exigir: 'Required',
    dispensar: 'Not required',
    anuncio: 'Second factor of {{nome}} saved.',
  },
  anuncio: 'Limits of {{nome}} saved.',
}
