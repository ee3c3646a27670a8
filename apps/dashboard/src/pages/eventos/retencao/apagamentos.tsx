import { useQuery } from '@tanstack/react-query'
import type { Apagamento } from '@vigia/contracts/apagamentos'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Fact, FactSection } from './fact-section.tsx'
import { Ficam } from './ficam.tsx'
import { apagamentosQuery } from './retencao-query.ts'

/** The last deletions by period, with their progress. */
export function Apagamentos({ empresa }: { readonly empresa: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(empresa)
  const { data = [] } = useQuery(apagamentosQuery(api, empresa))
  if (data.length === 0) return null
  return (
    <FactSection title={t('retencao.periodo.lista')}>
      {data.map((apagamento) => (
        <Fact key={apagamento.id} name={`${formatFull(apagamento.inicio, fuso)} – ${formatFull(apagamento.fim, fuso)}`}>
          <Progress {...apagamento} /> · {t('retencao.periodo.por', { por: apagamento.pedido_por })}:{' '}
          {apagamento.motivo}
          <Ficam ficam={apagamento.ficou?.filter(({ dado }) => dado !== 'eventos') ?? []} />
        </Fact>
      ))}
    </FactSection>
  )
}

function Progress({ estado, total, eventos, preservados, passagens, placa }: Apagamento) {
  const { t } = useTranslation()
  const numbers = { eventos: formatNumber(eventos), total: formatNumber(total) }
  if (estado === 'em_curso') return t('retencao.periodo.emCurso', numbers)
  const kept =
    preservados > 0 &&
    `, ${t('retencao.periodo.ficaram', { count: preservados, preservados: formatNumber(preservados) })}`
  return (
    <>
      {t('retencao.periodo.concluido', { ...numbers, count: eventos })}
      {passagens > 0 && `, ${t('retencao.periodo.passagens', { count: passagens, quantas: formatNumber(passagens) })}`}
      {kept}
      {placa !== null && ` · ${t('retencao.periodo.soUmaPlaca')}`}
    </>
  )
}
