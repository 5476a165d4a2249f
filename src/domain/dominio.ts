import type { AtendimentoService } from './chamados/atendimento.service.ts';
import type { ChamadosService } from './chamados/chamados.service.ts';
import type { ClientesService } from './clientes/clientes.service.ts';
import type { CadastroDeCobradoresService } from './cobradores/cobradores.service.ts';
import type { CobradoresService } from './cobradores/leitura.service.ts';
import type { ConexoesService } from './conexoes/conexoes.service.ts';
import type { ContratosService } from './contratos/contratos.service.ts';
import type { ConvitesService } from './convites/convites.service.ts';
import type { DesbloqueiosService } from './desbloqueios/desbloqueios.service.ts';
import type { ExtratosService } from './extratos/extratos.service.ts';
import type { FaturasService } from './faturas/faturas.service.ts';
import type { PlanosService } from './planos/planos.service.ts';
import type { RegistrosService } from './registros/registros.service.ts';
import type { RemovidosService } from './removidos/removidos.service.ts';

/** Everything that can be changed of one provider, inside one write. */
export interface Escritas {
  readonly desbloqueios: DesbloqueiosService;
  readonly chamados: AtendimentoService;
  readonly convites: ConvitesService;
  readonly cobradores: CadastroDeCobradoresService;
  /** Asking is written down. */
  readonly registros: RegistrosService;
}

/** Everything that can be asked of one provider. */
export interface Dominio {
  readonly clientes: ClientesService;
  readonly contratos: ContratosService;
  readonly conexoes: ConexoesService;
  readonly faturas: FaturasService;
  readonly chamados: ChamadosService;
  readonly planos: PlanosService;
  readonly removidos: RemovidosService;
  readonly extratos: ExtratosService;
  readonly cobradores: CobradoresService;
}
