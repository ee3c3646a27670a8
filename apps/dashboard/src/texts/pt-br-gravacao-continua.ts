/** Texts of continuous recording on the box. */
export const gravacaoContinua = {
  titulo: 'Gravação contínua na caixa',
  ligar: 'Gravar o fluxo secundário na caixa',
  ajuda:
    'A caixa grava sem parar no disco dela e apaga o mais antigo quando o espaço acaba. Use onde o gravador ' +
    'não entrega gravações, ou apaga em poucos dias.',
  lgpd:
    'LGPD: é mais um lugar com imagens de pessoas. Avise no aviso de videomonitoramento, e guarde só o tempo de que ' +
    'precisa.',
  situacao: {
    desligada: 'Desligada.',
    gravando: 'Gravando.',
    parada: 'Não está gravando.',
    aguardando: 'Ligada, à espera da caixa.',
    caixa_antiga: 'A caixa não grava.',
  },
  guardado: 'Guardado: de {{de}} até {{ate}}, {{mb}} MB.',
  nada: 'Nada guardado ainda.',
  desligarTitulo: 'Desligar e apagar a gravação?',
  desligarTexto: 'A caixa apaga tudo o que gravou desta câmera. Os clipes dos eventos ficam.',
  desligar: 'Desligar e apagar',
} as const
