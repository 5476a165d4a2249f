import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { exigido, lerCampos } from '../../../domain/campos/campos.ts';
import { data } from '../../../domain/campos/leitores.ts';
import { RECUSAS } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverData } from '../componentes/escrita.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota, Tela } from '../rota.ts';
import { exigirContrato, naoCabe, telaSobreContrato } from './apoio.ts';
import type { DoContrato } from './apoio.ts';

const ROTULOS = { data: 'Paga até' };
const permissao = 'contratos.desbloquear_confianca';

async function telaDaPromessa(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id, cliente_id: cliente } = contrato;
  const { fusoHorario, regras } = chamada.sessao.provedor;
  const titulo = 'Anotar promessa de pagamento';
  if (regras.promessaDias === 0) {
    return telaSobreContrato(contrato, titulo, naoCabe(id, `Não dá para anotar: ${RECUSAS.promessa_desabilitada}.`));
  }
  const hoje = hojeEm(fusoHorario, chamada.agora);
  const ultimo = somarDias(hoje, regras.promessaDias);
  const aberta = (await chamada.dominio.promessas.abertas([cliente])).get(id);
  return telaSobreContrato(
    contrato,
    titulo,
    html`${aberta === undefined ? null : aviso('warning', `Já prometeu pagar até ${escreverData(aberta.data)}. Outra só se anota depois que esta for cumprida.`)}
    ${aviso('info', 'Nada é liberado por isto: o que está bloqueado continua bloqueado. Até o dia prometido, a régua não bloqueia este contrato. O que se promete e não se paga não se promete de novo: para esperar mais, pause a régua.')}
    ${formulario({
      para: `/contratos/${id}/promessa`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Anotar promessa',
      volta: `/clientes/${cliente}`,
      corpo: entrada(estado, {
        nome: 'data',
        rotulo: ROTULOS.data,
        tipo: 'date',
        obrigatorio: true,
        dica: `De hoje até ${escreverData(ultimo)}.`,
        mais: html`min="${hoje}" max="${ultimo}"`,
      }),
    })}`,
  );
}

/** What somebody says on the phone of when he pays; as the public API notes it. */
export const PROMESSA: readonly Rota[] = [
  pagina('/contratos/{id}/promessa', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaPromessa(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/promessa', {
    permissao,
    campos: { data: 'data' },
    formulario: telaDaPromessa,
    async fazer({ parametros: { id }, dados, mudar, ler }) {
      const { data: dia } = lerCampos({ data: exigido(data) }, dados);
      await mudar(async (_dominio, { promessas }) => promessas.registrar(id, dia));
      const { cliente_id: cliente } = await ler(async (dominio) => exigirContrato({ dominio, parametros: { id } }));
      return { ir: `/clientes/${cliente}`, feito: 'promessa_anotada' };
    },
  }),
];
