import { Button, NativeSelect, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { ia, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { textsOfPerfil } from '../../../texts/perfil-texts.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { ChangeList } from './change-list.tsx'
import { applyPerfil, type IaSettings, iaChanges } from './perfil-changes.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'

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

/** The IAs of a camera, and a Perfil with a preview of its changes. */
export function VigiaPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const [draft, setDraft] = useState(() => iaFields(opened))
  const [chosen, setChosen] = useState('')
  const patch = patchOf(opened, draft)
  const named = nomesPerfis.find((nome) => nome === chosen)
  const ias = draft.eventos_habilitados

  const toggle = (nome: NomeIa, on: boolean) =>
    setDraft({ ...draft, eventos_habilitados: nomesIas.filter((one) => (one === nome ? on : ias.includes(one))) })

  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <ul className={classes.cards} aria-label={t('camera.abas.vigia')}>
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
          {named && (
            <>
              <h3>{t('camera.vigia.previa')}</h3>
              <ChangeList changes={iaChanges(draft, applyPerfil(draft, perfil(named)))} />
              <Button
                variant="default"
                onClick={() => {
                  setDraft(applyPerfil(draft, perfil(named)))
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

/** Needs of an enabled IA without which it raises no event. */
function IaNeeds({ nome, camera }: { nome: NomeIa; camera: Camera }) {
  const { t } = useTranslation()
  if (ia(nome).modelo === 'placas') return <p className={classes.warn}>{t('camera.vigia.semModelo')}</p>
  if (ia(nome).geometria !== 'linha' || camera.linha.length > 0) return null
  return (
    <p className={classes.warn}>
      {t('camera.vigia.faltaLinha')}{' '}
      <Link to="/cameras/$id/zonas" params={{ id: String(camera.id) }} className={classes.link}>
        {t('camera.vigia.desenharLinha')}
      </Link>
    </p>
  )
}
