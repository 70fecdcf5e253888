CREATE TABLE "alert_firings" (
	"user_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"alert_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"coin_id" integer NOT NULL,
	"coin_name" text NOT NULL,
	"coin_symbol" text NOT NULL,
	"level" double precision NOT NULL,
	"period" text,
	"level_name" text,
	"note" text NOT NULL,
	"price" double precision NOT NULL,
	"change" double precision,
	"source" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_firings_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "alert_prices" (
	"coin_id" integer PRIMARY KEY NOT NULL,
	"seen_until" timestamp with time zone NOT NULL,
	"seen_from" timestamp with time zone NOT NULL,
	"high" double precision,
	"low" double precision,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_watches" (
	"user_id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"coin_id" integer NOT NULL,
	"state" text NOT NULL,
	"move" text NOT NULL,
	"trigger" double precision,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_watches_user_id_alert_id_coin_id_pk" PRIMARY KEY("user_id","alert_id","coin_id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"coin_id" integer,
	"coin_name" text DEFAULT '' NOT NULL,
	"coin_symbol" text DEFAULT '' NOT NULL,
	"level" double precision NOT NULL,
	"period" text,
	"level_name" text,
	"note" text DEFAULT '' NOT NULL,
	"rearms" boolean NOT NULL,
	"expires_at" timestamp with time zone,
	"paused" boolean DEFAULT false NOT NULL,
	"fired_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alerts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "alert_firings" ADD CONSTRAINT "alert_firings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_watches" ADD CONSTRAINT "alert_watches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_firings_user" ON "alert_firings" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "alert_firings_created" ON "alert_firings" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alert_watches_trigger" ON "alert_watches" USING btree ("coin_id","move","trigger") WHERE "alert_watches"."trigger" is not null;