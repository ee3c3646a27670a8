import { Switch, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type CameraInstalacao, type Instalacao, MAX_CAMERAS_INSTALACAO } from '@vigia/contracts/instalacao'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { hasWords } from '../../../texts/plain.ts'
import { Soft } from '../../../ui/page.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { usePrinting } from '../../../ui/use-printing.ts'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import classes from './instalacao.module.css'

const ROW_PX = 76
const keyOf = ({ id }: CameraInstalacao) => id

/** Number of cameras above which the list has a search box. */
const FEW = 8

/** Each camera with a tick for each of its steps. The print has all of them. */
export function InstalacaoCameras({ instalacao }: { readonly instalacao: Instalacao }) {
  const { t } = useTranslation()
  const { cameras, completo, empresa_id } = instalacao
  const [onlyMissing, setOnlyMissing] = useState(false)
  const [text, setText] = useState('')
  const isPrinting = usePrinting()
  if (cameras.length === 0) return null
  const missing = cameras.filter(({ falta }) => falta !== null).length
  const shown = cameras.filter(({ nome, falta }) => (!onlyMissing || falta !== null) && hasWords(text, [nome]))
  const row = (camera: CameraInstalacao) => <CameraRow camera={camera} empresaId={empresa_id} />
  return (
    <section aria-labelledby="cameras-da-instalacao">
      <div className={classes.head}>
        <h2 id="cameras-da-instalacao">{t('instalacao.cameras')}</h2>
        <Soft>{t('instalacao.prontas', { prontas: cameras.length - missing, count: cameras.length })}</Soft>
      </div>
      <div className={classes.screen}>
        {cameras.length > FEW && <SearchField label={t('instalacao.buscar')} value={text} onChange={setText} />}
        {missing > 0 && missing < cameras.length && (
          <Switch
            mb="sm"
            label={t('instalacao.soFalta')}
            checked={onlyMissing}
            onChange={(event) => setOnlyMissing(event.currentTarget.checked)}
          />
        )}
        {shown.length === 0 && <Soft role="status">{t('comum.nenhumNome')}</Soft>}
      </div>
      {isPrinting ? (
        <ul aria-label={t('instalacao.cameras')}>
          {cameras.map((camera) => (
            <li key={camera.id}>{row(camera)}</li>
          ))}
        </ul>
      ) : (
        <WindowedList label={t('instalacao.cameras')} rows={shown} keyOf={keyOf} rowPx={ROW_PX}>
          {row}
        </WindowedList>
      )}
      {!completo && <Soft>{t('instalacao.incompleto', { total: MAX_CAMERAS_INSTALACAO })}</Soft>}
    </section>
  )
}

function CameraRow({ camera, empresaId }: { readonly camera: CameraInstalacao; readonly empresaId: number }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(empresaId)
  const { id, nome, imagem, ias, zona, prova, falta } = camera
  const ticks = [
    { key: 'imagem', done: imagem, text: t('instalacao.tem.imagem') },
    { key: 'ias', done: ias, text: t('instalacao.tem.ias') },
    { key: 'zona', done: zona !== 'falta', text: t(`instalacao.zona.${zona}`) },
    { key: 'prova', done: prova?.aprovada === true, text: t('instalacao.tem.prova') },
  ]
  return (
    <article className={classes.camera} data-ready={falta === null || undefined}>
      <Link to="/cameras/$id" params={{ id: String(id) }} search={{ instalacao: true }} className={classes.name}>
        {nome}
      </Link>
      <span className={classes.state}>
        {falta === null
          ? t('instalacao.pronta')
          : t('instalacao.faltaPasso', { passo: t(`instalacao.passo.${falta}`) })}
      </span>
      <ul className={classes.ticks}>
        {ticks.map(({ key, done, text }) => (
          <li key={key} data-done={done || undefined}>
            {done ? <IconCircleCheck size={17} aria-hidden="true" /> : <IconCircle size={17} aria-hidden="true" />}
            {text}
            <VisuallyHidden>, {t(done ? 'instalacao.feito' : 'instalacao.falta')}</VisuallyHidden>
          </li>
        ))}
      </ul>
      {prova && fuso !== null && (
        <p className={classes.detail}>
          {t(prova.aprovada ? 'instalacao.aprovada' : 'instalacao.reprovada', {
            quando: formatFull(prova.fim, fuso),
            quem: prova.feita_por,
          })}
          {prova.desfecho && ` · ${t(`instalacao.desfecho.${prova.desfecho}`)}`}
        </p>
      )}
    </article>
  )
}
