import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { UrlRefused } from '../../../platform/http/outbound/url.ts';
import type { CertificadoA1 } from '../../../../workers/threads/certificado-a1/contract.ts';
import type { Actor } from '../../actor.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { exigirCobrador } from '../../cobradores/cobradores.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { reabrirUltimoDia } from '../../tarefas/reabertura.service.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { adaptadorDe } from '../adaptadores/adaptadores.ts';
import { COLUNAS_DO_CONVENIO } from '../psp.types.ts';
import type { ConvenioRow, SegredosDoConvenio } from '../psp.types.ts';
import { FORMA_DO_CONVENIO } from './convenios.campos.ts';
import { abrirConvenio, lugarDosSegredos } from './convenios.queries.ts';

export type ConveniosPspService = ReturnType<typeof createConveniosPspService>;

interface ConveniosDeps {
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  /** @throws UrlRefused */
  readonly conferirUrl: (url: string) => unknown;
}

const SEM_SEGREDOS: SegredosDoConvenio = {
  clientId: '',
  clientSecret: null,
  chaveDoAplicativo: null,
  certificado: null,
};

const SECRETOS = [
  ['client_secret', 'clientSecret'],
  ['chave_do_aplicativo', 'chaveDoAplicativo'],
] as const;

/** Scheme, host and port of an address; as it is where it is none, which is refused elsewhere. */
const siteDe = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** Agreements with PSPs: one an account. What is secret of them is sealed, and given back to nobody. */
export function createConveniosPspService({ write, relogio, segredos, conferirUrl }: ConveniosDeps) {
  function conferir(campo: string, url: string): string {
    try {
      conferirUrl(url);
      if (url.includes('?')) faltaEm(campo, 'não pode levar consulta (?)');
      return url;
    } catch (error) {
      if (error instanceof UrlRefused) return faltaEm(campo, error.message);
      throw error;
    }
  }

  async function travar(w: Write, cobradorId: number): Promise<ConvenioRow | undefined> {
    const doCobrador = w.from('psp_convenios').where({ cobrador_id: cobradorId }).forUpdate();
    const [row] = await rowsOf(doCobrador, COLUNAS_DO_CONVENIO);
    return row;
  }

  const selar = (w: Write, cobradorId: number, novos: SegredosDoConvenio): Buffer =>
    segredos.seal(lugarDosSegredos(w.provedorId, cobradorId), Buffer.from(JSON.stringify(novos)));

  async function abertos(w: Write, cobradorId: number): Promise<SegredosDoConvenio> {
    return (await abrirConvenio(w.tenant, segredos, { cobrador_id: cobradorId }))?.segredos ?? SEM_SEGREDOS;
  }

  return {
    /**
     * Makes or changes the agreement of an account; what is not named stays as it is, or is the adapter's. It stands still until it is
     * activated.
     *
     * @returns its id
     * @throws CamposInvalidos, or Recusa `cobrador_indisponivel`
     */
    async configurar(
      actor: Actor,
      provedorId: number,
      cobradorId: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<number> {
      return write(actor, provedorId, async (w) => {
        await exigirCobrador(w, cobradorId);
        const antes = await travar(w, cobradorId);
        recusarSeNao(versao === undefined || versao === String(antes?.versao ?? 0), 'versao_divergente');
        const lidos =
          antes === undefined ? lerCampos(FORMA_DO_CONVENIO, dados) : lerAlteracao(FORMA_DO_CONVENIO, dados);
        const adaptador = lidos.adaptador ?? antes?.adaptador ?? 'outro';
        const outro = adaptador !== antes?.adaptador;
        const { base: usual, token } = adaptadorDe(adaptador);
        const base = lidos.base ?? (outro ? usual : antes.base);
        const tokenUrl = lidos.token_url ?? (outro ? token : antes.token_url);
        const sabidos = await abertos(w, cobradorId);
        const novos: SegredosDoConvenio = {
          ...sabidos,
          ...(lidos.client_id === undefined ? {} : { clientId: lidos.client_id }),
          ...(lidos.client_secret === undefined ? {} : { clientSecret: lidos.client_secret }),
          ...(lidos.chave_do_aplicativo === undefined ? {} : { chaveDoAplicativo: lidos.chave_do_aplicativo }),
        };
        if (novos.clientId === '') faltaEm('client_id', 'informe o client_id que o PSP deu');
        const em = toDatabaseTime(relogio.agora());
        const colunas = {
          adaptador,
          base: conferir('base', base),
          token_url: conferir('token_url', tokenUrl),
          ...(lidos.chave === undefined ? {} : { chave: lidos.chave }),
          ...(lidos.tipo === undefined ? {} : { tipo: lidos.tipo }),
          ...(lidos.validade_dias === undefined ? {} : { validade_dias: lidos.validade_dias }),
          ...(lidos.caminhos === undefined
            ? {}
            : { caminhos: lidos.caminhos === null ? null : JSON.stringify(lidos.caminhos) }),
          ...(lidos.cas_extras === undefined ? {} : { cas_extras: lidos.cas_extras }),
          segredos: selar(w, cobradorId, novos),
          parada_ate: null,
          codigo: null,
          falhas: 0,
          atualizado_em: em,
        };
        // Nobody is shown a secret, and so nobody may have one sent to an address of his own either: it has to be typed again.
        const mudouDeLugar =
          antes !== undefined && (siteDe(base) !== siteDe(antes.base) || siteDe(tokenUrl) !== siteDe(antes.token_url));
        for (const [campo, guardado] of mudouDeLugar ? SECRETOS : []) {
          if (sabidos[guardado] !== null && lidos[campo] === undefined)
            faltaEm(campo, 'informe de novo: o endereço é outro');
        }
        const campos = Object.entries(lidos).flatMap(([nome, valor]) => (valor === undefined ? [] : [nome]));
        if (antes === undefined) {
          const id = await w.insert(
            'psp_convenios',
            { ...colunas, cobrador_id: cobradorId, criado_em: em },
            { soughtBefore: true },
          );
          w.emit('psp.configurado', id, { campos });
          return id;
        }
        await w.update('psp_convenios', (q) => void q.where({ id: antes.id }), {
          ...colunas,
          versao: antes.versao + 1,
        });
        w.emit('psp.configurado', antes.id, { campos });
        return antes.id;
      });
    },

    /**
     * Keeps the client certificate that the PSP gave.
     *
     * @param lido read before the write begins
     * @throws Recusa `nao_encontrado`, or CamposInvalidos of `certificado`
     */
    async guardarCertificado(
      actor: Actor,
      provedorId: number,
      cobradorId: number,
      lido: Pick<CertificadoA1, 'chavePem' | 'cadeiaPem' | 'titular' | 'validoAte'>,
    ): Promise<void> {
      await write(actor, provedorId, async (w) => {
        const convenio = await travar(w, cobradorId);
        recusarSeNao(convenio, 'nao_encontrado');
        const agora = relogio.agora();
        if (lido.validoAte <= agora) faltaEm('certificado', 'o certificado venceu');
        const { chavePem, cadeiaPem } = lido;
        const novos = { ...(await abertos(w, cobradorId)), certificado: { chavePem, cadeiaPem } };
        await w.update('psp_convenios', (q) => void q.where({ id: convenio.id }), {
          segredos: selar(w, cobradorId, novos),
          versao: convenio.versao + 1,
          certificado_titular: lido.titular.slice(0, 200),
          certificado_ate: toDatabaseTime(lido.validoAte),
          certificado_avisado: null,
          parada_ate: null,
          codigo: null,
          falhas: 0,
          atualizado_em: toDatabaseTime(agora),
        });
        w.emit('psp.certificado_guardado', convenio.id, { valido_ate: lido.validoAte.toISOString() });
      });
    },

    /**
     * Begins or ends the charging by a PSP: what is open is charged, or what was charged taken off, in the background.
     *
     * @returns whether it was otherwise
     * @throws Recusa `nao_encontrado`
     */
    async ativar(actor: Actor, provedorId: number, cobradorId: number, ativo: boolean): Promise<boolean> {
      return write(actor, provedorId, async (w) => {
        const convenio = await travar(w, cobradorId);
        recusarSeNao(convenio, 'nao_encontrado');
        if ((convenio.ativo === 1) === ativo) return false;
        await w.update('psp_convenios', (q) => void q.where({ id: convenio.id }), {
          ativo: ativo ? 1 : 0,
          leitura_em: null,
          parada_ate: null,
          falhas: 0,
        });
        // All that is open is looked at again.
        await reabrirUltimoDia(w, 'pix.cobrar');
        w.touch(PROVEDOR_TAG);
        w.emit(ativo ? 'psp.ativado' : 'psp.desativado', convenio.id);
        return true;
      });
    },

    /** Whatever waits is tried now: what the PSP refused, what failed, and the reading of what was received. @throws Recusa `nao_encontrado` */
    async tentarDeNovo(actor: Actor, provedorId: number, cobradorId: number): Promise<void> {
      await write(actor, provedorId, async (w) => {
        const convenio = await travar(w, cobradorId);
        recusarSeNao(convenio, 'nao_encontrado');
        const em = toDatabaseTime(relogio.agora());
        const { id } = convenio;
        await w.update('psp_convenios', (q) => void q.where({ id }), { parada_ate: null, leitura_em: null, falhas: 0 });
        const recusadas = { convenio_id: id, estado: 'recusada', viva: 1 };
        await w.update('psp_cobrancas', (q) => void q.where(recusadas), {
          estado: 'nova',
          etapa: 'emitir',
          proxima_em: em,
          tentativas: 0,
        });
        await w.update('psp_cobrancas', (q) => void q.where('convenio_id', id).whereNotNull('etapa'), {
          proxima_em: em,
          tentativas: 0,
        });
        w.emit('psp.tentado', id);
      });
    },
  };
}
