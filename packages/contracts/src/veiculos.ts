/** Direction in which a vehicle crosses the line of its camera. */
export const direcoesPassagem = ['ab', 'ba'] as const

export const tiposVeiculo = ['car', 'truck', 'bus', 'motorcycle'] as const

export const coresVeiculo = ['branco', 'preto', 'cinza', 'vermelho', 'azul', 'verde', 'amarelo', 'marrom'] as const

/** Forms of a plate: LLLNNNN, LLLNLNN, another country. */
export const formasPlaca = ['antiga', 'mercosul', 'outra'] as const
