import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'

/** Sentences about calls without a usable answer. They contain no text of the server, which may echo the key. */
export const errorSentences: Readonly<Record<ErroVerificadorExterno, string>> = {
  tempo: 'O serviço não respondeu a tempo. Se isso se repete, o operador aumenta VIGIA_VLM_TEMPO_S ou troca o modelo.',
  conexao: 'A central não conseguiu se conectar ao serviço. O operador confere VIGIA_VLM_URL e a rede.',
  redirecionou: 'O serviço mandou a central para outro endereço, e ela não foi. O operador corrige VIGIA_VLM_URL.',
  chave: 'O serviço recusou a chave. O operador confere VIGIA_VLM_CHAVE.',
  endereco: 'O serviço não tem este endereço ou este modelo. O operador confere VIGIA_VLM_URL e VIGIA_VLM_MODELO.',
  pedido:
    'O serviço recusou a imagem ou o pedido. Se isso se repete, só esta Empresa espera. O operador confere se o ' +
    'modelo aceita imagens e respostas em JSON com esquema.',
  limite: 'O serviço disse que recebeu pedidos demais, ou que o crédito acabou. O operador confere a conta do serviço.',
  servico: 'O serviço teve uma falha interna. A central tenta de novo nos próximos eventos.',
  resposta: 'O modelo respondeu fora do formato pedido. Os eventos ficaram como “pode ser”.',
  recusa: 'O modelo se recusou a responder. Os eventos ficaram como “pode ser”.',
}
