import type { ContratoResumido, Resumo } from '../../../domain/resumo/resumo.service.ts';
import { apresentarChamado } from '../../../objects/chamados.presenter.ts';
import { apresentarConexaoDetalhe } from '../../../objects/rede/conexoes.presenter.ts';
import { apresentarContrato } from '../../../objects/contratos.presenter.ts';
import { apresentarFatura } from '../../../objects/faturas.presenter.ts';
import { toReais } from '../../../kit/fields/fields.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { apresentarDesbloqueio, apresentarPromessa } from '../contratos/contratos.presenters.ts';
import type { resumoSchema } from './resumo.schemas.ts';

type Resposta = TypeOf<typeof resumoSchema>;

export function apresentarResumo(resumo: Resumo): Resposta {
  const { cliente, totalVencido, totalAberto } = resumo;
  return {
    cliente: {
      id: cliente.id,
      nome: cliente.nome,
      tipo: cliente.tipo,
      cpf_cnpj: cliente.cpfCnpj,
      situacao: cliente.situacao,
      telefones: [...cliente.telefones],
    },
    contratos: resumo.contratos.map(apresentarContratoResumido),
    faturas_abertas: resumo.faturasAbertas?.map(apresentarFatura) ?? null,
    total_vencido: totalVencido === null ? null : toReais(totalVencido),
    total_aberto: totalAberto === null ? null : toReais(totalAberto),
    chamados_em_aberto: resumo.chamadosEmAberto?.map(apresentarChamado) ?? null,
    sugestao: resumo.sugestao,
  };
}

const apresentarContratoResumido = ({
  contrato,
  conexao,
  desbloqueio,
  promessa,
}: ContratoResumido): Resposta['contratos'][number] => ({
  ...apresentarContrato(contrato),
  conexao_detalhe: apresentarConexaoDetalhe(conexao),
  desbloqueio: apresentarDesbloqueio(desbloqueio),
  promessa: promessa === null ? null : apresentarPromessa(promessa),
});
