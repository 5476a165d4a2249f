import { VIGENTES } from '../../../../domain/contratos/cadastro/troca-de-plano.service.ts';
import { html } from '../../../../kit/html/html.ts';
import { aviso } from '../../componentes/cartao.ts';
import { area, caixa, entrada, escolha } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Rota, Tela } from '../../rota.ts';
import { ROTULO_DA_VERSAO, exigirContrato, naoCabe, telaSobreContrato, versaoDo } from '../apoio.ts';
import type { DoContrato } from '../apoio.ts';
import { DIAS } from '../palavras.ts';

const ROTULOS = {
  cliente_id: 'Número do novo titular',
  faturas_futuras: 'Faturas do titular de agora que ainda não venceram',
  dia_vencimento: 'Dia de vencimento',
  motivo: 'Motivo',
  confirmado: 'Confirmei com o novo titular o e-mail e os telefones',
  ...ROTULO_DA_VERSAO,
};

async function telaDoTitular(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id, situacao, dia_vencimento } = contrato;
  const titulo = 'Trocar titular';
  if (!VIGENTES.includes(situacao)) {
    return telaSobreContrato(contrato, titulo, naoCabe(id, 'O contrato está cancelado: não tem linha para passar.'));
  }
  return telaSobreContrato(
    contrato,
    titulo,
    html`${aviso(
      'warning',
      html`<p class="mb-1">
          Este contrato é cancelado em definitivo, e nasce outro em nome do novo titular com o mesmo login, plano e
          endereço. A conexão não cai.
        </p>
        <p class="mb-0">As dívidas ficam com o titular de agora. Não dá para desfazer.</p>`,
    )}
    ${formulario({
      para: `/contratos/${id}/titular`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Trocar titular',
      volta: `/contratos/${id}`,
      perigoso: true,
      corpo: html`${versaoDo(contrato, estado)}
      ${entrada(estado, {
        nome: 'cliente_id',
        rotulo: ROTULOS.cliente_id,
        teclado: 'numeric',
        obrigatorio: true,
        maximo: 16,
        dica: 'Está no alto da página do cliente. Quem ainda não é cliente se cadastra antes.',
      })}
      ${escolha(estado, {
        nome: 'faturas_futuras',
        rotulo: ROTULOS.faturas_futuras,
        obrigatorio: true,
        vazia: 'Escolha o que fazer com elas',
        opcoes: [
          { valor: 'cancelar', texto: 'Cancelar: ele não deve mais' },
          { valor: 'manter', texto: 'Manter: ele ainda deve' },
        ],
      })}
      ${escolha(estado, { nome: 'dia_vencimento', rotulo: ROTULOS.dia_vencimento, vazia: `O mesmo: dia ${dia_vencimento}`, opcoes: DIAS })}
      ${area(estado, { nome: 'motivo', rotulo: ROTULOS.motivo, maximo: 500, linhas: 2, dica: 'Fica no histórico do contrato.' })}
      ${caixa(estado, {
        nome: 'confirmado',
        rotulo: ROTULOS.confirmado,
        dica: 'Só é preciso de quem se cadastrou sozinho e tem outro cadastro com o mesmo CPF ou CNPJ.',
      })}`,
    })}`,
  );
}

export const TITULAR: readonly Rota[] = [
  pagina('/contratos/{id}/titular', {
    permissao: 'contratos.editar',
    mostrar: async (chamada) => ({ tela: await telaDoTitular(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/titular', {
    permissao: 'contratos.editar',
    campos: {
      atualizado_em: 'texto',
      cliente_id: 'texto',
      faturas_futuras: 'texto',
      dia_vencimento: 'texto',
      motivo: 'texto',
      confirmado: 'caixa',
    },
    formulario: telaDoTitular,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { id: novo } = await mudar(async (_dominio, { contratos }) => contratos.trocarTitular(id, dados));
      return { ir: `/contratos/${novo}`, feito: 'titular_trocado' };
    },
  }),
];
