import { Button, Checkbox, NativeSelect, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { ia, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { hasPlaca, IA_PLACA } from '@vigia/contracts/plates-ia'
import { polygons } from '@vigia/ias/geometry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { textsOfPerfil } from '../../../texts/perfil-texts.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { ChangeList } from './change-list.tsx'
import { drawingOf } from './drawing.ts'
import rowClasses from './ia-rows.module.css'
import { applyPerfil, type IaSettings, iaChanges } from './perfil-changes.ts'
import { thresholdName, thresholds } from './plate-thresholds.ts'
import { rigorOf } from './rigor.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'
import { useWindowText, windowsOf } from './window-text.ts'

const FIELDS = ['eventos_habilitados', 'config_ia', 'agenda'] as const

const iaFields = ({ eventos_habilitados, config_ia, agenda }: Camera): IaSettings => ({
  eventos_habilitados,
  config_ia,
  agenda,
})

/** Only the fields that differ; null: none. */
function patchOf(opened: Camera, draft: IaSettings): Partial<IaSettings> | null {
  const changed = FIELDS.filter((field) => JSON.stringify(opened[field]) !== JSON.stringify(draft[field]))
  return changed.length === 0 ? null : Object.fromEntries(changed.map((field) => [field, draft[field]]))
}

/** One row of each IA with its switch, place, hours and sensitivity, and a Perfil with a preview of its changes. */
export function VigiaPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const [draft, setDraft] = useState(() => iaFields(opened))
  const [chosen, setChosen] = useState('')
  const [plates, setPlates] = useState(() => hasPlaca(opened.eventos_habilitados))
  const patch = patchOf(opened, draft)
  const named = nomesPerfis.find((nome) => nome === chosen)
  const ias = draft.eventos_habilitados
  const asksPlates = named !== undefined && hasPlaca(perfil(named).ias)
  const applied = named && applyPerfil(draft, perfil(named), asksPlates ? plates : hasPlaca(ias))

  const toggle = (nome: NomeIa, on: boolean) =>
    setDraft({ ...draft, eventos_habilitados: nomesIas.filter((one) => (one === nome ? on : ias.includes(one))) })

  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <ul className={rowClasses.rows} aria-label={t('camera.abas.vigia')}>
          {nomesIas.map((nome) => (
            <li key={nome} className={classes.card}>
              <div className={classes.switchRow}>
                <Switch
                  label={textsOfIa(nome).titulo}
                  description={textsOfIa(nome).descricao}
                  checked={ias.includes(nome)}
                  onChange={(event) => toggle(nome, event.currentTarget.checked)}
                />
                <SeverityTag gravidade={ia(nome).gravidade} />
              </div>
              {ias.includes(nome) && <IaSettingsRow nome={nome} camera={opened} />}
              {ias.includes(nome) && <IaNeeds nome={nome} camera={opened} />}
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.side}>
        <section className={classes.card} aria-labelledby="perfil-titulo">
          <h2 id="perfil-titulo">{t('camera.vigia.perfil')}</h2>
          <Soft>
            {opened.perfil === null
              ? t('camera.vigia.semPerfil')
              : t('camera.vigia.criadaCom', { nome: textsOfPerfil(opened.perfil).titulo })}
          </Soft>
          <NativeSelect
            label={t('camera.vigia.escolher')}
            description={named ? textsOfPerfil(named).descricao : t('camera.vigia.escolherAjuda')}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={[
              { value: '', label: t('camera.vigia.nenhum') },
              ...nomesPerfis.map((nome) => ({ value: nome, label: textsOfPerfil(nome).titulo })),
            ]}
          />
          {asksPlates && (
            <Checkbox
              label={t('camera.vigia.lerPlacas')}
              checked={plates}
              onChange={(event) => setPlates(event.currentTarget.checked)}
            />
          )}
          {applied && (
            <>
              <h3>{t('camera.vigia.previa')}</h3>
              <ChangeList changes={iaChanges(draft, applied)} />
              <Button
                variant="default"
                onClick={() => {
                  setDraft(applied)
                  setChosen('')
                }}
              >
                {t('camera.vigia.usar')}
              </Button>
            </>
          )}
        </section>
        {patch !== null && (
          <section className={classes.card} aria-labelledby="mudancas-titulo">
            <h2 id="mudancas-titulo">{t('camera.mudancas.aoSalvar')}</h2>
            <ChangeList changes={iaChanges(opened, patch)} />
          </section>
        )}
        <SaveBar save={save} patch={patch} onReset={(stored) => setDraft(iaFields(stored))} />
      </div>
    </div>
  )
}

/** The place, hours and sensitivity of an enabled IA as stored, each with a link to its editor. */
function IaSettingsRow({ nome, camera }: { nome: NomeIa; camera: Camera }) {
  const { t } = useTranslation()
  const say = useWindowText()
  const params = { id: String(camera.id) }
  const isPlate = nome === IA_PLACA
  const zones = isPlate ? polygons(camera.modo_b_config?.regiao ?? []).length : drawingOf(camera).zonas.length
  const { geometria } = ia(nome)
  const hasLine = camera.linha.length > 0
  const where =
    geometria === 'linha'
      ? t(hasLine ? 'camera.vigia.naLinha' : 'camera.vigia.semLinha')
      : zones === 0 || geometria === null
        ? t('camera.aoVivo.quadroInteiro')
        : t('camera.aoVivo.zonas', { count: zones })
  const how = isPlate
    ? t(`placas.camera.certezas.${thresholdName(camera.modo_b_config?.conf_placa ?? thresholds.media)}`)
    : t(`camera.rigor.niveis.${rigorOf(nome, camera.config_ia[nome])}`)
  const place = isPlate ? '/cameras/$id/o-que-vigia/placa' : '/cameras/$id/o-que-vigia/zonas'
  const sensitivity = isPlate ? '/cameras/$id/o-que-vigia/placa' : '/cameras/$id/o-que-vigia/sensibilidade'
  const rows = [
    { text: t('camera.vigia.onde'), value: where, to: place },
    {
      text: t('camera.vigia.quando'),
      value: say(windowsOf(camera, nome)),
      to: '/cameras/$id/o-que-vigia/horarios',
    },
    { text: t('camera.vigia.rigor'), value: how, to: sensitivity },
  ] as const
  return (
    <dl className={rowClasses.settings}>
      {rows.map(({ text, value, to }) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd>
            <Link to={to} params={params} className={classes.link}>
              {value}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Needs of an enabled IA without which it raises no event. */
function IaNeeds({ nome, camera }: { nome: NomeIa; camera: Camera }) {
  const { t } = useTranslation()
  if (ia(nome).geometria !== 'linha' || camera.linha.length > 0) return null
  return (
    <p className={classes.warn}>
      {t('camera.vigia.faltaLinha')}{' '}
      <Link to="/cameras/$id/o-que-vigia/zonas" params={{ id: String(camera.id) }} className={classes.link}>
        {t('camera.vigia.desenharLinha')}
      </Link>
    </p>
  )
}
