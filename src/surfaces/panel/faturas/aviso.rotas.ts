import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import { html } from '../../../kit/html/html.ts';
import { escreverData, escreverReais } from '../componentes/escrita.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { Recusado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { exigirFatura, telaSobreFatura } from './apoio.ts';

/** What the subscriber reads. Nobody writes it anew: whoever may give a second copy may not write to subscribers. */
const mensagemDa = ({ id, aPagar, vencimento, situacao, clienteId }: Fatura) => ({
  cliente_ids: [clienteId],
  titulo: `Sua fatura de ${escreverReais(aPagar)}`,
  texto: `${situacao === 'vencida' ? 'Venceu' : 'Vence'} em ${escreverData(vencimento)}. Toque para ver como pagar.`,
  link: `/invoices/${id}`,
});

/** @throws Recusado where nothing is to be paid any more */
async function exigirAberta(chamada: Parameters<typeof exigirFatura>[0]): Promise<Fatura> {
  const fatura = await exigirFatura(chamada);
  if (fatura.segundaVia !== null) return fatura;
  throw new Recusado(409, 'Esta fatura já não se paga', 'Volte à fatura e veja a situação dela.');
}

async function telaDoAviso(chamada: Chamada<{ readonly id: number }>, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirAberta(chamada);
  const { titulo, texto } = mensagemDa(fatura);
  return telaSobreFatura(
    chamada,
    fatura,
    'Enviar ao app do cliente',
    html`<p>Os aparelhos do cliente recebem este aviso, que abre a fatura no app:</p>
      <blockquote class="fala"><strong>${titulo}</strong><br />${texto}</blockquote>
      ${formulario({
        para: `/faturas/${fatura.id}/avisar`,
        estado,
        rotulos: {},
        enviar: 'Enviar',
        volta: `/faturas/${fatura.id}`,
        corpo: html``,
      })}`,
  );
}

/** Tells a subscriber's devices of an invoice, and sends its second copy. */
export const AVISO_DA_FATURA: readonly Rota[] = [
  pagina('/faturas/{id}/avisar', {
    permissao: 'faturas.ver',
    mostrar: async (chamada) => ({ tela: await telaDoAviso(chamada, EM_BRANCO) }),
  }),
  acao('/faturas/{id}/avisar', {
    permissao: 'faturas.ver',
    formulario: telaDoAviso,
    async fazer({ parametros, mudar }) {
      const aparelhos = await mudar(async (dominio, { mensagensDePush }) =>
        mensagensDePush.enviar(mensagemDa(await exigirAberta({ dominio, parametros }))),
      );
      return { ir: `/faturas/${parametros.id}`, feito: aparelhos === 0 ? 'sem_aparelho' : 'aviso_enviado' };
    },
  }),
  acao('/faturas/{id}/enviar', {
    permissao: 'faturas.ver',
    async fazer({ parametros, sessao: { provedor }, servicos, ler, mudar }) {
      const fatura = await ler(async (dominio) => exigirFatura({ dominio, parametros }));
      const { id } = fatura;
      await servicos.tentativas.sendCopy(provedor.id, fatura, async () => {
        await mudar(async (_dominio, { envios }) => envios.enviar(id, 'email'));
      });
      return { ir: `/faturas/${id}`, feito: 'segunda_via_enviada' };
    },
  }),
];
