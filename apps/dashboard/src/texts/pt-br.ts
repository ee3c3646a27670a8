import { medido } from './pt-br-medidos.ts'

/** Texts of the sign-in, the frame and the first page, loaded before the first render. Other areas: areas.ts. */

export const comum = {
  tentarDeNovo: 'Tentar novamente',
  cancelar: 'Cancelar',
  fechar: 'Fechar',
  salvar: 'Salvar',
  carregando: 'Carregando…',
} as const

export const sessao = {
  titulo: 'Entrar no Vigia',
  subtitulo: 'Acompanhe as câmeras e os alertas da sua empresa.',
  usuario: 'Usuário',
  senha: 'Senha',
  exibir: 'Exibir',
  ocultar: 'Ocultar',
  exibirDescricao: 'Exibir o que foi digitado',
  ocultarDescricao: 'Ocultar o que foi digitado',
  entrar: 'Entrar',
  entrando: 'Entrando…',
  erro: {
    credenciais: 'Usuário ou senha incorretos. Confira os dois e tente outra vez.',
    tentativas: 'Muitas tentativas seguidas. Espere um minuto e tente outra vez.',
    codigo: 'O tempo para digitar o código acabou. Entre outra vez.',
    endereco: 'Não se entra por este endereço. Use o endereço do painel que você recebeu.',
    disco:
      'O disco do servidor está cheio, e por isso ninguém consegue entrar agora. Avise quem opera o servidor e ' +
      'tente de novo depois.',
    outro: 'Não foi possível entrar agora. Tente outra vez em instantes.',
  },
  terminou: 'Sua sessão terminou. Entre novamente para continuar acompanhando.',
  tituloEncerrada: 'Sessão encerrada',
} as const

export const painel = {
  pular: 'Pular para o conteúdo',
  navegacao: 'Principal',
  inicioVigia: 'Vigia, página inicial',
  grupo: {
    plantao: 'Plantão',
    cameras: 'Câmeras',
    equipamentos: 'Gravadores e caixas',
    consulta: 'Consulta',
    administracao: 'Administração',
  },
  plantao: 'Plantão',
  cameras: 'Câmeras',
  gravadores: 'Gravadores',
  caixas: 'Caixas',
  quedas: 'Quedas',
  busca: 'Busca',
  linhaDoTempo: 'Linha do tempo',
  passagens: 'Placas',
  relatorios: 'Relatórios',
  mais: 'Mais',
  agentes: 'Agentes',
  auditoria: 'Auditoria',
  conta: 'Minha conta',
  canais: 'Canais',
  chaves: 'Chaves',
  empresas: 'Empresas',
  pendencias: 'Pendências',
  pessoas: 'Pessoas',
  quiosques: 'Quiosques',
  sessao: {
    limite: 'Sua sessão termina às {{hora}} ({{dia}}). Entre de novo antes disso para não perder alertas.',
    limiteQuiosque:
      'Esta tela sai do modo quiosque às {{hora}} ({{dia}}). Peça a um administrador para ligá-lo de novo aqui.',
    entrar: 'Entrar de novo',
  },
  quedasAbertas_one: '{{count}} fora do ar agora',
  quedasAbertas_other: '{{count}} fora do ar agora',
  empresa: 'Empresa',
  todasEmpresas: 'Todas as Empresas',
  sair: 'Sair',
  somLigar: 'Ligar som dos alertas',
  somDesligar: 'Desligar som dos alertas',
  somLiberar: 'O navegador bloqueou o som. Clique para liberar',
  somBloqueado: 'Som bloqueado: toque aqui',
  semContato: 'Sem contato',
  temaClaro: 'Usar tema claro',
  temaEscuro: 'Usar tema escuro',
  papel: { administrador: 'Administrador', vigilante: 'Vigilante', usuario: 'Usuário', operador: 'Operador' },
  fluxo: {
    conectando: 'Conectando…',
    ao_vivo: 'Ao vivo',
    reconectando: 'Reconectando…',
    expirada: 'Sessão encerrada',
  },
  demonstracao: {
    titulo: 'Demonstração',
    texto: 'Demonstração: câmeras e alertas da Empresa “{{nome}}” são simulados.',
    experimentar: 'Experimentar o assistente',
    encerrar: 'Encerrar demonstração',
    confirmar:
      'Tudo o que é da demonstração é apagado: a Empresa, o gravador simulado, as câmeras, os alertas e as imagens. ' +
      'Ela não volta no próximo início.',
  },
  servidor: {
    disco_baixo: 'Pouco espaço no disco do servidor. Libere espaço ou aumente o disco antes que ele encha.',
    relogio_duvidoso:
      'O relógio do servidor mudou mais de um dia sem confirmação das caixas. Nada é apagado por prazo enquanto ' +
      'isso. Confira a hora do servidor.',
    apagamento_retido:
      'Um apagamento por prazo levaria mais da metade dos registros de um tipo, e espera. Confira a hora do servidor.',
    horaServidor: 'Hora do servidor: {{hora}}.',
    horaCerta: 'A hora está certa',
    disco_cheio:
      'Disco do servidor cheio. Mudanças são recusadas, e os eventos novos esperam nas caixas. Libere espaço na ' +
      'pasta de dados ou aumente o disco; tudo continua sozinho.',
    disco_somente_leitura:
      'O disco do servidor não grava. Mudanças são recusadas, e os eventos novos esperam nas caixas. Confira o ' +
      'disco e monte-o de novo com escrita.',
    enlace_fora:
      'A central está sem conexão com o broker MQTT. Os eventos novos esperam nas caixas. Confira se o broker ' +
      'está rodando e se o endereço em VIGIA_MQTT_URL está certo.',
  },
  semFluxo: 'Sem contato com a central. O que aparece aqui pode estar desatualizado; tentando reconectar.',
  falhou: 'Algo falhou nesta página',
  falhouDetalhe: 'Recarregue para continuar. Se acontecer de novo, avise quem administra o sistema.',
  recarregar: 'Recarregar',
  naoExiste: 'Esta página não existe.',
  inicio: 'Voltar ao início',
  atraso: 'Verificação atrasada: o evento mais antigo sem veredito espera há {{tempo}} ({{empresas}}).',
  atrasoVer: 'Ver pendências',
} as const

export const alertas = {
  situacao: { confirmado: 'Confirmado', refutado: 'Refutado' },
  desfecho: {
    confirmado: 'Confirmado',
    incerto: 'Pode ser {{assunto}} – confira',
    refutado: 'Descartado: não havia {{assunto}}',
    descartado: 'Descartado pela verificação',
    pendente: 'Verificando…',
  },
  gravidade: { baixa: 'Baixa', media: 'Média', alta: 'Alta', critica: 'Crítica' },
  semTipo: 'Evento refutado',
  gravidadeRotulo: 'Gravidade:',
  semVeredito: 'Ainda sem veredito',
  aguardando: 'A imagem está sendo conferida. O veredito aparece aqui em instantes.',
  revisao: {
    pergunta: 'Este alarme era verdadeiro?',
    confirmado: 'Sim, verdadeiro',
    refutado: 'Não, alarme falso',
    anuncio: 'Revisão guardada.',
  },
  anuncio: 'Novo incidente: {{titulo}}, {{camera}}, gravidade {{gravidade}}.',
  anuncioVarios_one: '{{count}} novo incidente confirmado.',
  anuncioVarios_other: '{{count}} novos incidentes confirmados.',
  detalhe: {
    quando: 'Quando',
    recebido: 'Recebido pela central',
    camera: 'Câmera',
    empresa: 'Empresa',
    zona: 'Zona',
    zonaNumero: 'Zona {{numero}}',
    quadroInteiro: 'Quadro inteiro',
    confiancaDeteccao: 'Confiança da detecção',
    medido,
    fonte: 'Verificado por',
    registro: 'Registro',
    verificadoEm: 'Verificado em',
    numero: 'Evento nº {{id}}',
    revisao: 'Revisão humana',
    revisaoTexto: '{{rotulo}} por {{revisor}}',
    caixa: '{{rotulo}}, {{confianca}}',
    visto: 'O que foi visto',
  },
} as const

export const rotulos = {
  person: 'pessoa',
  bicycle: 'bicicleta',
  car: 'carro',
  motorcycle: 'moto',
  bus: 'ônibus',
  truck: 'caminhão',
  backpack: 'mochila',
  handbag: 'bolsa',
  suitcase: 'mala',
  objeto: 'objeto parado',
  retirado: 'lugar de um objeto retirado',
  dog: 'cachorro',
  cat: 'gato',
  no_hardhat: 'sem capacete',
  no_vest: 'sem colete',
  hardhat: 'capacete',
  vest: 'colete',
  fire: 'fogo',
  smoke: 'fumaça',
} as const

/** Sentences about outages. */
export const quedas = {
  titulo: 'Quedas',
  filtro: 'Filtrar quedas',
  todas: 'Todas',
  abertas: 'Fora do ar agora',
  caixa: 'Caixa',
  camera: 'Câmera',
  desde: 'Fora do ar desde {{quando}} ({{duracao}})',
  aindaFora: 'Ainda fora do ar',
  durou: 'Durou {{duracao}}',
  dura: 'Desde {{quando}} · há {{duracao}}',
  comCameras_one: 'Com ela, 1 câmera está fora do ar.',
  comCameras_other: 'Com ela, {{count}} câmeras estão fora do ar.',
  verMais: 'Ver mais antigas',
  limite: 'Estas são as {{total}} quedas mais recentes.',
  nenhuma: 'Nenhuma queda registrada.',
  nenhumaAberta: 'Nada fora do ar agora.',
  nenhumaTexto: 'Quando uma caixa ou câmera parar de funcionar por algum tempo, o período e o motivo ficam aqui.',
  daCaixa: 'Quedas: {{nome}}',
  daCaixaAjuda: 'Desta caixa e das câmeras dela.',
  daCamera: 'Quedas',
  caixas_one: '1 caixa fora do ar: {{nomes}}.',
  caixas_other: '{{count}} caixas fora do ar: {{nomes}}.',
  cameras_one: '1 câmera offline: {{nomes}}.',
  cameras_other: '{{count}} câmeras offline: {{nomes}}.',
  outras: '{{nomes}} e mais {{count}}',
  verQuedas: 'Ver quedas',
  verCameras: 'Ver motivos',
} as const
