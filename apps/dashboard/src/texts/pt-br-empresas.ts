/** Texts about Empresas and their limits. */
export const empresas = {
  titulo: 'Empresas',
  ajuda: 'O limite e o uso de uma Empresa contam tudo o que está nela e nas Empresas abaixo dela.',
  so: 'Só o administrador da conta vê as Empresas e seus limites.',
  lista: 'Empresas',
  procurar: 'Procurar pelo nome',
  nenhuma: 'Nenhuma Empresa com este nome',
  nenhumaTexto: 'Confira o nome, ou apague a busca para ver todas.',
  abaixoDe: 'Abaixo de {{nome}}',
  uso: '{{uso}} de {{limite}}',
  usoAcima: '{{uso}} de {{limite}}; pela Empresa acima, cabem mais {{livres}}',
  verMais: 'Ver mais Empresas',
  limites: 'Mudar limites',
  limitesRotulo: 'Mudar limites de {{nome}}',
  peca: 'Para mudar um limite, peça a quem administra a conta acima ou ao operador da instalação.',
  tipos: {
    cameras: 'câmeras',
    gravadores: 'gravadores',
    edges: 'caixas',
    usuarios: 'logins',
    canais: 'canais de notificação',
    agentes: 'agentes',
    chaves: 'chaves de integração',
  },
  formulario: {
    titulo: 'Limites: {{nome}}',
    ajuda:
      'Cada limite vale para esta Empresa e as que estão abaixo dela, juntas. Um limite menor que o uso não ' +
      'remove nada: só impede novos.',
    campo: 'Limite de {{nome}}',
    emUso: '{{uso}} em uso',
    limiteErrado: 'Informe um número inteiro de 0 a 100000.',
  },
  segundoFator: {
    rotulo: 'Segundo fator dos logins',
    rotuloDe: 'Segundo fator dos logins de {{nome}}',
    acima: 'Como a Empresa acima',
    exigir: 'Exigir',
    dispensar: 'Não exigir',
    anuncio: 'Segundo fator de {{nome}} salvo.',
  },
  anuncio: 'Limites de {{nome}} salvos.',
} as const
