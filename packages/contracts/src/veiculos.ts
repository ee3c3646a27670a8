/** Direction in which a vehicle crosses the line of its camera. */
export const direcoesPassagem = ['ab', 'ba'] as const

export const tiposVeiculo = ['car', 'truck', 'bus', 'motorcycle'] as const

export const coresVeiculo = ['branco', 'preto', 'cinza', 'vermelho', 'azul', 'verde', 'amarelo', 'marrom'] as const

/** Forms of a plate: LLLNNNN, LLLNLNN, another country. */
export const formasPlaca = ['antiga', 'mercosul', 'outra'] as const

/** Form of a plate by its text alone. */
export function formOfPlate(placa: string): (typeof formasPlaca)[number] {
  if (/^[A-Z]{3}\d{4}$/.test(placa)) return 'antiga'
  return /^[A-Z]{3}\d[A-Z]\d{2}$/.test(placa) ? 'mercosul' : 'outra'
}
