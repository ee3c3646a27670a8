/** Texts of the thresholds of IAs, part of the camera's texts. */
export const limiares = {
  ajuda: 'Mais rigor dá menos alarmes falsos, e pode perder alertas. Mude um valor de cada vez e faça uma prova.',
  vigor: 'Em vigor: {{valor}}',
  doSistema: 'padrão do sistema',
  salva: 'salvo nesta câmera: {{valor}}; padrão: {{padrao}}',
  voltarPadrao: 'Voltar ao padrão',
  padraoRotulo: 'Voltar ao padrão: {{nome}}',
  numero: 'Escreva um número, por exemplo 0,5.',
  inteiro: 'Escreva um número inteiro.',
  limites: 'Use um valor de {{minimo}} a {{maximo}}.',
  corrija: 'Corrija os campos indicados',
  ajuste: {
    poucas: 'As revisões ainda não mudam a conferência: são precisas {{minimo}}, e contam {{revisoes}} até agora.',
    nenhum: 'As revisões não mudam a conferência: {{verdadeiros}} de {{revisoes}} verdadeiros, como ela esperava.',
    facil:
      'Pelas revisões, a conferência confirma com certeza mais facilmente ({{ajuste}}): {{verdadeiros}} de ' +
      '{{revisoes}} eram verdadeiros, e ela esperava {{esperados}}. Descartar não fica mais fácil.',
    dificil:
      'Pelas revisões, a conferência confirma com certeza mais dificilmente ({{ajuste}}): {{verdadeiros}} de ' +
      '{{revisoes}} eram verdadeiros, e ela esperava {{esperados}}. Descartar não fica mais fácil.',
    zerar: 'Zerar',
    zerarRotulo: 'Zerar o ajuste: {{nome}}',
    titulo: 'Zerar o ajuste de {{nome}}?',
    pergunta: 'A partir de agora só contam revisões novas. As revisões feitas ficam guardadas.',
    zerado: 'Ajuste de {{nome}} zerado.',
  },
  sugestao: {
    precisao: 'Alarmes verdadeiros que você quer',
    pedir: 'Sugerir pela revisão',
    pedirRotulo: 'Sugerir pela revisão: {{nome}}',
    resultado:
      'Com {{conf}}, {{evitados}} de {{falsos}} falsos alarmes não teriam vindo, e {{perdidos}} de {{verdadeiros}} ' +
      'verdadeiros também não.',
    semPerda:
      'Com {{conf}}, {{evitados}} de {{falsos}} falsos alarmes não teriam vindo, e todos os {{verdadeiros}} ' +
      'verdadeiros teriam vindo.',
    usar: 'Pôr {{conf}} no campo',
    nadaMuda: 'Nada muda até você salvar.',
    poucas_revisoes: 'São precisas 30 revisões com a confiança de hoje ({{conf}}); há {{total}}.',
    ja_cumpre: 'Com {{conf}}, {{verdadeiros}} de {{total}} alarmes revisados já são verdadeiros.',
    sem_valor: 'Nenhum valor chega a {{precisao}} sem perder mais da metade dos {{verdadeiros}} verdadeiros.',
  },
  sim: 'sim',
  nao: 'não',
  direcao: { ambos: 'os dois sentidos', ab: 'ab: da esquerda para a direita da linha', ba: 'ba: o contrário' },
  comuns: {
    conf: {
      nome: 'Confiança mínima',
      frase: 'De 0 a 1: quanto mais alta, mais certo o modelo precisa estar do que viu.',
    },
    min_quadros: {
      nome: 'Quadros seguidos',
      frase: 'Em quantos quadros analisados seguidos o objeto precisa aparecer; são cerca de cinco por segundo.',
    },
    resfriamento_s: {
      nome: 'Intervalo entre eventos (s)',
      frase: 'Depois de um evento desta IA, quanto tempo a câmera espera até o próximo.',
    },
    area_min: {
      nome: 'Área mínima',
      frase: 'Objetos menores que esta fração do quadro são ignorados; 0,01 é um centésimo da imagem.',
    },
    clipe_antes_s: {
      nome: 'Clipe antes do evento (s)',
      frase: 'Quantos segundos o clipe mostra antes do evento; não muda os alertas.',
    },
    clipe_depois_s: {
      nome: 'Clipe depois do evento (s)',
      frase: 'Quantos segundos o clipe mostra depois do evento; um tempo longo atrasa o clipe.',
    },
    permanencia_s: { nome: 'Tempo até disparar (s)', frase: 'Por quanto tempo a situação precisa durar.' },
  },
  porIa: {
    aglomeracao: {
      min_pessoas: {
        nome: 'Pessoas',
        frase: 'Com quantas pessoas ao mesmo tempo na zona o evento acontece.',
      },
    },
    cruzamento_linha: {
      direcao: {
        nome: 'Sentido que dispara',
        frase: 'A linha tem um começo e um fim; o sentido “ab” vai do lado esquerdo para o direito dela.',
      },
      resfriamento_s: {
        nome: 'Intervalo por objeto (s)',
        frase: 'O mesmo objeto, no mesmo sentido, não gera outro evento dentro deste tempo.',
      },
    },
    epi: {
      exigir_capacete: { nome: 'Exigir capacete', frase: 'Gera um evento quando falta o capacete.' },
      exigir_colete: { nome: 'Exigir colete', frase: 'Gera um evento quando falta o colete.' },
    },
    permanencia: {
      permanencia_s: {
        nome: 'Tempo na zona (s)',
        frase: 'Quanto tempo uma pessoa pode ficar na zona; sair por até 5 s não zera a conta.',
      },
    },
    objeto_abandonado: {
      permanencia_s: {
        nome: 'Tempo parado (s)',
        frase: 'Quanto tempo o objeto fica parado, sem ninguém por perto, até gerar o evento.',
      },
      retirados: {
        nome: 'Objetos retirados',
        frase: 'Gera um evento também quando um objeto do cenário é retirado.',
      },
    },
    camera_obstruida: {
      conf: {
        nome: 'Certeza mínima',
        frase: 'De 0 a 1: quão clara precisa ser a obstrução da imagem.',
      },
      permanencia_s: {
        nome: 'Tempo obstruída (s)',
        frase: 'Quanto tempo a imagem fica coberta, ofuscada, desviada ou parada até gerar o evento.',
      },
      area_min: {
        nome: 'Área mínima',
        frase: 'Não tem efeito nesta IA, que olha a imagem inteira.',
      },
    },
  },
} as const
