import { type IaEvidence, ownBox } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

/** The rule follows people; what they wear is looked for on them. */
export const evidence: IaEvidence = {
  tracks: 'objetos',
  needs: { objetos: ['person'], epi: catalogo.rotulos },
  uses: [],
  // `conf` of the calibration is asked of what the epi model sees. People are found as well as by the other IAs.
  trackConf: 0.4,
  shown(track) {
    const { epi } = track.evidence
    return epi && Math.max(epi.noHardhat, epi.noVest) > 0 ? [ownBox(track), ...epi.caixas] : null
  },
}
