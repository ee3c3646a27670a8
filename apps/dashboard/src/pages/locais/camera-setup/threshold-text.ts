import { ia, type NomeIa } from '@vigia/contracts/ias'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../texts/locale.ts'

interface ThresholdText {
  readonly nome: string
  /** One sentence: the effect of the threshold. */
  readonly frase: string
  /** A value with its unit. */
  value(value: number | boolean): string
}

type Texts = Readonly<Record<string, { readonly nome: string; readonly frase: string } | undefined>>

/** Returns the texts of a threshold: those of its IA, else the common ones. */
export function useThresholdText(): (nome: NomeIa, limiar: string) => ThresholdText {
  const { t } = useTranslation()
  const common: Texts = t('camera.limiares.comuns', { returnObjects: true })
  const own: Readonly<Record<string, Texts | undefined>> = t('camera.limiares.porIa', { returnObjects: true })
  return (nome, limiar) => {
    const unidade = ia(nome).limiares[limiar]?.unidade
    const text = own[nome]?.[limiar] ?? common[limiar] ?? { nome: limiar, frase: '' }
    const value = (one: number | boolean): string => {
      if (typeof one === 'boolean') return t(one ? 'camera.limiares.sim' : 'camera.limiares.nao')
      if (unidade === 'codigo') return t(`camera.limiares.direcao.${one === 1 ? 'ab' : one === 2 ? 'ba' : 'ambos'}`)
      const number = formatNumber(one, { maximumFractionDigits: 4 })
      return unidade === 's' ? `${number} s` : number
    }
    return { ...text, value }
  }
}
