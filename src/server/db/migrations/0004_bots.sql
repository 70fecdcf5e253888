CREATE TABLE "bot_equity" (
	"bot_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"equity" double precision NOT NULL,
	CONSTRAINT "bot_equity_bot_id_at_pk" PRIMARY KEY("bot_id","at")
);
--> statement-breakpoint
CREATE TABLE "bot_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bot_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bot_orders" (
	"client_id" text PRIMARY KEY NOT NULL,
	"bot_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"candle" double precision,
	"direction" text NOT NULL,
	"quantity" double precision NOT NULL,
	"stop" double precision,
	"target" double precision,
	"state" text NOT NULL,
	"exchange_id" text,
	"price" double precision,
	"filled" double precision DEFAULT 0 NOT NULL,
	"reason" text,
	"fence" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bot_signals" (
	"candle" double precision PRIMARY KEY NOT NULL,
	"signal" jsonb NOT NULL,
	"fanned_out" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bot_trades" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bot_id" uuid NOT NULL,
	"entry_id" text NOT NULL,
	"side" text NOT NULL,
	"quantity" double precision NOT NULL,
	"entry_price" double precision NOT NULL,
	"exit_price" double precision,
	"pnl" double precision DEFAULT 0 NOT NULL,
	"fees" double precision DEFAULT 0 NOT NULL,
	"funding" double precision DEFAULT 0 NOT NULL,
	"reason" text,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bots" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"paused_by" text,
	"paused_reason" text,
	"stop_mode" text,
	"position_size" integer NOT NULL,
	"leverage" integer NOT NULL,
	"exchange" text NOT NULL,
	"testnet" boolean DEFAULT false NOT NULL,
	"sealed_keys" "bytea" NOT NULL,
	"key_hint" text NOT NULL,
	"key_digest" text NOT NULL,
	"key_checked_at" timestamp with time zone,
	"key_expires_at" timestamp with time zone,
	"key_warned_days" integer,
	"guards" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"equity" double precision NOT NULL,
	"position" jsonb,
	"handled_candle" double precision,
	"fills_seen_to" double precision DEFAULT 0 NOT NULL,
	"last_exchange_at" timestamp with time zone,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"fence" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_switches" (
	"name" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"book" jsonb NOT NULL,
	"advanced_to" double precision NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_feed" (
	"id" integer PRIMARY KEY NOT NULL,
	"clock_anchor" double precision NOT NULL,
	"feed_anchor" double precision NOT NULL,
	"speed" double precision NOT NULL,
	"first_candle" double precision NOT NULL,
	"interval" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_fills" (
	"user_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"at" double precision NOT NULL,
	"fill" jsonb NOT NULL,
	CONSTRAINT "paper_fills_user_id_place_pk" PRIMARY KEY("user_id","place")
);
--> statement-breakpoint
CREATE TABLE "paper_orders" (
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"order" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "paper_orders_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
ALTER TABLE "bot_equity" ADD CONSTRAINT "bot_equity_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bot_events" ADD CONSTRAINT "bot_events_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bot_orders" ADD CONSTRAINT "bot_orders_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bot_trades" ADD CONSTRAINT "bot_trades_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots" ADD CONSTRAINT "bots_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_accounts" ADD CONSTRAINT "paper_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_fills" ADD CONSTRAINT "paper_fills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_orders" ADD CONSTRAINT "paper_orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_events_bot" ON "bot_events" USING btree ("bot_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bot_events_key" ON "bot_events" USING btree ("bot_id","key");--> statement-breakpoint
CREATE INDEX "bot_orders_bot" ON "bot_orders" USING btree ("bot_id","created_at");--> statement-breakpoint
CREATE INDEX "bot_orders_state" ON "bot_orders" USING btree ("state");--> statement-breakpoint
CREATE UNIQUE INDEX "bot_trades_entry" ON "bot_trades" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "bot_trades_bot" ON "bot_trades" USING btree ("bot_id","opened_at");--> statement-breakpoint
CREATE INDEX "bots_user" ON "bots" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "bots_status" ON "bots" USING btree ("status");--> statement-breakpoint
CREATE INDEX "bots_key" ON "bots" USING btree ("key_digest");--> statement-breakpoint
CREATE INDEX "paper_fills_at" ON "paper_fills" USING btree ("user_id","at");