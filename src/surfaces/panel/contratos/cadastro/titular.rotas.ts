import { opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { id as umId, texto } from '../../../../domain/campos/leitores.ts';
import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import { VIGENTES } from '../../../../domain/contratos/cadastro/troca-de-plano.service.ts';
import type { FichaDeContrato } from '../../../../domain/contratos/ficha/ficha.service.ts';
import { html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { doCliente, faltaNaBusca, listaDeAchados } from '../../busca/achados.ts';
import { procurar } from '../../busca/procura.ts';
import { aviso } from '../../componentes/cartao.ts';
import { area, caixa, escolha } from '../../formulario/campos.ts';
import { EM_BRANCO, recusado, valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { ROTULO_DA_VERSAO, exigirContrato, naoCabe, telaSobreContrato, versaoDo } from '../apoio.ts';
import { DIAS, DO_MES_JA_USADO } from '../palavras.ts';

const ROTULOS = {
  cliente_id: 'Novo titular',
  faturas_futuras: 'Faturas do titular de agora que ainda não venceram',
  dia_vencimento: 'Dia de vencimento',
  motivo: 'Motivo',
  confirmado: 'Confirmei com o novo titular o e-mail e os telefones',
  ...ROTULO_DA_VERSAO,
};

const CONSULTA = { q: opcional(texto(0, 120)), cliente: opcional(umId) } as const;

type DoTitular = Chamada<{ readonly id: number }, ValoresDe<typeof CONSULTA>>;

const TITULO = 'Trocar titular';

async function telaDoTitular(chamada: DoTitular, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  if (!VIGENTES.includes(contrato.situacao)) {
    return telaSobreContrato(
      contrato,
      TITULO,
      naoCabe(contrato.id, 'O contrato está cancelado: não tem linha para passar.'),
    );
  }
  const digitado = Number(valorDe(estado, 'cliente_id'));
  const numero = chamada.consulta.cliente ?? (Number.isSafeInteger(digitado) && digitado > 0 ? digitado : null);
  const novo = numero === null ? null : await chamada.dominio.clientes.buscarPorId(numero);
  return novo === null ? procurarTitular(chamada, contrato, estado) : confirmarTitular(contrato, novo, estado);
}

/** The first step: who it is going to be, by the search that the whole panel has. */
async function procurarTitular(
  chamada: DoTitular,
  contrato: FichaDeContrato,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { sessao } = chamada;
  const { q = '' } = chamada.consulta;
  const aqui = `/contratos/${contrato.id}/titular`;
  const achado = q === '' ? null : await procurar(chamada, q, { tipos: ['clientes'] });
  const falta = faltaNaBusca(achado);
  const outros = (achado?.clientes ?? [])
    .filter(({ id }) => id !== contrato.cliente_id)
    .map((um) => doCliente(sessao, um, q, `${aqui}?cliente=${um.id}`));
  return telaSobreContrato(
    contrato,
    TITULO,
    html`${recusado(estado) ? aviso('danger', 'Escolha antes o novo titular: nada foi mudado.') : null}
      <form class="filtros" method="get" action="${BASE}${aqui}">
        <div class="campo">
          <label class="form-label" for="campo-q">Quem é o novo titular</label>
          <input
            class="form-control"
            type="search"
            id="campo-q"
            name="q"
            value="${q}"
            maxlength="120"
            autocomplete="off"
            required
            aria-describedby="campo-q-dica"
          />
          <div class="form-hint" id="campo-q-dica">
            Nome, CPF ou CNPJ, telefone ou número. Quem ainda não é cliente se cadastra antes.
          </div>
        </div>
        <div class="campo acoes">
          <button class="btn btn-primary">Procurar</button>
          <a class="btn" href="${BASE}/contratos/${contrato.id}">Cancelar</a>
        </div>
      </form>
      ${q === '' ? null : outros.length === 0 ? html`<p role="status">Nada com “${q}”.</p>` : listaDeAchados(outros)}
      ${falta === null ? null : html`<p class="text-secondary">${falta}</p>`}`,
  );
}

/** The second step: what happens with what the contract was. */
function confirmarTitular(contrato: FichaDeContrato, novo: Cliente, estado: EstadoDoFormulario): Tela {
  const { id, dia_vencimento } = contrato;
  return telaSobreContrato(
    contrato,
    TITULO,
    html`<p>
        Novo titular: <a href="${BASE}/clientes/${novo.id}"><strong>${novo.nome}</strong></a
        >.
        <a href="${BASE}/contratos/${id}/titular">Escolher outro</a>
      </p>
      ${aviso(
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
        corpo: html`${versaoDo(contrato, estado)} ${escondido('cliente_id', novo.id)}
        ${escolha(estado, {
          nome: 'faturas_futuras',
          rotulo: ROTULOS.faturas_futuras,
          obrigatorio: true,
          vazia: 'Escolha o que fazer com elas',
          dica: DO_MES_JA_USADO,
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
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDoTitular(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/titular', {
    permissao: 'contratos.editar',
    consulta: CONSULTA,
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
